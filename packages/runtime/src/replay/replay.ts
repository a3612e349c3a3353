import type { SessionId, WireName } from '@palimpsest/contracts';
import { ReplayModel } from '@palimpsest/models';
import { openTranscript, type FormatName, type TranscriptFile, type TranscriptSession } from '@palimpsest/transcripts';
import type { HostRuntime } from '../runtime.ts';
import { wireOf } from '../session/open-session.ts';
import { limitsOf } from '../session/models.ts';
import { RequestDump } from './dump.ts';
import { ReplayDriver } from './drive.ts';
import { ReplayLedger } from './ledger.ts';
import type { ReplayReport } from './report.ts';

export interface ReplayAsk {
  readonly file: string;
  /** Tokens. */
  readonly window: number;
  /** Default: the configured engine. */
  readonly engine?: string;
  readonly format?: FormatName;
  /** True trees: the branch that ends in the file's last entry. */
  readonly tree?: boolean;
  /** Default `openai-chat`. */
  readonly wire?: WireName;
  /** Folder for each request's body, `000001.json` on; made if missing. A file of many sessions gets one folder each. */
  readonly dumpDir?: string;
  readonly onProgress?: (progress: { readonly session: number; readonly sessions: number; readonly requests: number; readonly tokens: number }) => void;
}

/**
 * Runs a recorded session through the kernel: one report per session of the file. The session is kept under an id made of file hash,
 * engine and window; running it again starts it again.
 * @throws TRANSCRIPT_* for what cannot be read; nothing is written then.
 */
export async function replayTranscript(runtime: HostRuntime, ask: ReplayAsk): Promise<readonly ReplayReport[]> {
  const file = await openTranscript(ask.file, { ...(ask.format === undefined ? {} : { format: ask.format }), ...(ask.tree === undefined ? {} : { tree: ask.tree }) });
  const reports: ReplayReport[] = [];
  for (const session of file.sessions) reports.push(await replaySession(runtime, ask, file, session));
  return reports;
}

async function replaySession(runtime: HostRuntime, ask: ReplayAsk, file: TranscriptFile, transcript: TranscriptSession): Promise<ReplayReport> {
  const id = replayId(ask, file, transcript, runtime.config.context.engine);
  await runtime.store.log.drop(id);
  const noticesBefore = runtime.notices.length;
  const { session, kit } = await runtime.open({
    id, name: transcript.title, chosen: { model: new ReplayModel(`${ask.wire ?? 'openai-chat'}:replay/recorded`), limits: limitsOf(ask.window, null) },
    system: transcript.system, tools: transcript.tools.map(recordedTool), maxSteps: Number.MAX_SAFE_INTEGER, ...(ask.engine === undefined ? {} : { engine: ask.engine }),
  });
  try {
    const ledger = new ReplayLedger(kit.events);
    const dump = ask.dumpDir === undefined ? null : await RequestDump.open(ask.dumpDir, file.sessions.length > 1 ? transcript.index : null);
    const wire = await wireOf(kit.model.route);
    const driver = new ReplayDriver(kit, ledger, async ({ request }, step) => {
      if (dump !== null) await dump.write(step, await wire.body(request));
      ask.onProgress?.({ session: transcript.index + 1, sessions: file.sessions.length, requests: step, tokens: ledger.entryTokens });
    });
    const hold = await kit.journal.hold();
    try {
      for await (const item of transcript.items()) await driver.take(item);
    } finally {
      await hold.release();
    }
    const { engine, budget } = await session.status();
    return {
      session: id, transcript: { ...transcript.report(), tokens: ledger.entryTokens }, engine: { name: engine.name, version: engine.version, resolvedFrom: engine.resolvedFrom },
      window: ask.window, effectiveTokens: budget.effective, steps: ledger.steps, totals: ledger.totals(), invariants: ledger.invariants(),
      notices: [...runtime.notices.slice(noticesBefore), ...engine.failures, ...ledger.invalid],
    };
  } finally {
    await session.close();
  }
}

export function replayId(ask: ReplayAsk, file: Pick<TranscriptFile, 'sha256' | 'sessions'>, { index }: Pick<TranscriptSession, 'index'>, configured: string): SessionId {
  const part = file.sessions.length > 1 ? `-${String(index)}` : '';
  return `replay-${file.sha256.slice(0, 12)}-${ask.engine ?? configured}-${String(ask.window)}${part}` as SessionId;
}

function recordedTool(schema: TranscriptSession['tools'][number]): TranscriptSession['tools'][number] & { run(): Promise<never> } {
  return { ...schema, run: () => Promise.reject(new Error('a replay runs no tools')) };
}
