import { errors } from '@palimpsest/contracts';
import type { EntryId, Log, SessionId, WireName } from '@palimpsest/contracts';
import type { TurnKit } from '@palimpsest/kernel';
import { ReplayModel } from '@palimpsest/models';
import { requireEngineName } from '@palimpsest/plugins';
import { openTranscript, type FormatName, type TranscriptFile, type TranscriptSession } from '@palimpsest/transcripts';
import type { HostRuntime } from '../runtime.ts';
import { wireOf } from '../session/open-session.ts';
import { begun, spareChanged, type Fresh } from '../session/filled.ts';
import { limitsOf } from '../session/models.ts';
import { underLease } from '../session/under-lease.ts';
import { undoneOnFailure } from '../session/undone-on-failure.ts';
import { CountedIds } from './counted-ids.ts';
import { RequestDump, type SessionDump } from './dump.ts';
import { ReplayDriver } from './drive.ts';
import { ReplayLedger } from './ledger.ts';
import { ProbeScore, readProbes } from './probes.ts';
import { SteppedTime } from './stepped-time.ts';
import { engineOf } from './engine-of.ts';
import type { ReplayReport } from './report.ts';

export { formatNames, type FormatName } from '@palimpsest/transcripts';

const DEFAULT_WIRE: WireName = 'openai-chat';
/** Provider and model of every replay's route. */
const RECORDED = 'replay/recorded';

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
  /** Folder for each request's body, `000001.json` on; made if missing. A file of many sessions gets one folder each, `0000` on. Requests of an earlier run in it are removed. */
  readonly dumpDir?: string;
  /** Needed-again probes to score the engine with. */
  readonly probesFile?: string;
  readonly onProgress?: (progress: {
    readonly session: number;
    readonly sessions: number;
    readonly requests: number;
    readonly tokens: number;
  }) => void;
}

/**
 * Runs a recorded session through the kernel: one report per session of the file. The session is kept under an id made of file hash,
 * engine, window, and wire, format and tree (where they are not the default); running it again starts it again, and one that fails leaves none.
 * @throws TRANSCRIPT_* for what cannot be read, USAGE_INVALID for a name that no engine can have, probes, a dump folder, or a session that went on after its replay,
 * SESSION_BUSY while somebody else writes to it; nothing is written then.
 */
export async function replayTranscript(runtime: HostRuntime, ask: ReplayAsk): Promise<readonly ReplayReport[]> {
  if (ask.engine !== undefined) requireEngineName(ask.engine);
  const file = await openTranscript(ask.file, {
    ...(ask.format === undefined ? {} : { format: ask.format }),
    ...(ask.tree === undefined ? {} : { tree: ask.tree }),
  });
  const dump = ask.dumpDir === undefined ? null : new RequestDump(ask.dumpDir);
  const reports: ReplayReport[] = [];
  try {
    for (const session of file.sessions) reports.push(await replaySession(runtime, { ask, file, transcript: session, dump }));
  } catch (error) {
    // What went wrong first is told.
    await dump?.failed().catch(() => undefined);
    throw error;
  }
  const dumped = await dump?.end();
  return dumped === undefined ? reports : reports.map((report) => ({ ...report, dumped }));
}

interface Asked {
  readonly ask: ReplayAsk;
  readonly file: TranscriptFile;
  readonly transcript: TranscriptSession;
}

/** What may fail for the user's sake is asked before the session of an earlier replay is given up. */
async function replaySession(
  runtime: HostRuntime,
  { ask, file, transcript, dump: folder }: Asked & { readonly dump: RequestDump | null },
): Promise<ReplayReport> {
  const id = replayId(ask, file, transcript, runtime.config.context.engine);
  const probes =
    ask.probesFile === undefined
      ? null
      : new ProbeScore(await readProbes(ask.probesFile), runtime.store.search, id, isLines(file.format) ? 1 : 0);
  const dump = (await folder?.open(file.sessions.length > 1 ? transcript.index : null)) ?? null;
  await runtime.resolution(ask.engine);
  const fresh = { id, name: transcript.title, parent: null, created: new Date(runtime.clock.now()).toISOString() };
  await underLease(runtime, id, (fence) => begun(runtime.store.log, { fresh, fence }, spareChanged(wentOn)));
  return undoneOnFailure(runtime.store.log, { session: id, fence: null }, () =>
    replayed(runtime, { ask, file, transcript, fresh, probes, dump }),
  );
}

interface Replaying extends Asked {
  readonly fresh: Fresh;
  readonly probes: ProbeScore | null;
  readonly dump: SessionDump | null;
}

async function replayed(runtime: HostRuntime, replaying: Replaying): Promise<ReplayReport> {
  const {
    ask,
    transcript,
    fresh: { id },
    probes,
  } = replaying;
  const time = new SteppedTime();
  const noticesBefore = runtime.notices.length;
  const { session, kit } = await runtime.open({
    id,
    name: transcript.title,
    time,
    ids: new CountedIds(id),
    chosen: { model: new ReplayModel(`${ask.wire ?? DEFAULT_WIRE}:${RECORDED}`), limits: limitsOf(ask.window, null) },
    system: transcript.system,
    recordedTools: transcript.tools,
    maxSteps: Number.MAX_SAFE_INTEGER,
    ...(ask.engine === undefined ? {} : { engine: ask.engine }),
  });
  try {
    const ledger = new ReplayLedger(kit.events);
    await driven(await driver(replaying, { kit, ledger, time }), { log: runtime.store.log, kit, ...replaying });
    const { engine, budget } = await session.status();
    return {
      session: id,
      transcript: { ...transcript.report(), tokens: ledger.entryTokens },
      engine: engineOf(engine, ledger),
      window: ask.window,
      effectiveTokens: budget.effective,
      steps: ledger.steps,
      totals: ledger.totals(),
      ...(probes === null ? {} : { probes: probes.result() }),
      invariants: ledger.invariants(),
      refusals: [...ledger.refusals].map(([what, times]) => ({ what, times })),
      notices: [...new Set([...runtime.notices.slice(noticesBefore), ...engine.failures, ...ledger.invalid])],
    };
  } finally {
    await session.close();
  }
}

interface Instruments {
  readonly kit: TurnKit;
  readonly ledger: ReplayLedger;
  readonly time: SteppedTime;
}

async function driver({ ask, file, transcript, probes, dump }: Replaying, { kit, ledger, time }: Instruments): Promise<ReplayDriver> {
  const wire = await wireOf(kit.model.route);
  return new ReplayDriver(kit, ledger, async (view, step, line) => {
    time.step();
    if (dump !== null) await dump.write(step, await wire.body(view.request));
    await probes?.request(line, view);
    ask.onProgress?.({ session: transcript.index + 1, sessions: file.sessions.length, requests: step, tokens: ledger.entryTokens });
  });
}

/** One item after the other, under one lease, which fills the session. */
async function driven(
  driver: ReplayDriver,
  {
    log,
    kit,
    fresh,
    transcript,
    probes,
  }: Pick<Replaying, 'fresh' | 'transcript' | 'probes'> & Pick<Instruments, 'kit'> & { readonly log: Log },
): Promise<void> {
  let newest: EntryId | null = null;
  const stop = kit.events.on('entry.appended', ({ entry }) => {
    if (entry.kind === 'message') newest = entry.id;
  });
  const hold = await kit.journal.hold();
  try {
    const { last } = kit.journal.marks;
    if (last !== null) throw errors.logLeafMoved(kit.journal.session, null, last.id);
    await log.begin(fresh, hold.fence);
    for await (const item of transcript.items()) {
      await driver.take(item);
      if (item.line !== null && newest !== null) probes?.stands(item.line, newest);
    }
    await probes?.end();
    await log.finish(fresh.id, hold.fence);
  } finally {
    stop();
    await hold.release();
  }
}

function wentOn(id: SessionId): Error {
  return errors.usageInvalid(
    `Session ${id} went on after its replay; a new replay would lose those turns.`,
    `Go on with it: --session ${id}. A new replay takes another window, or another store (PALIMPSEST_HOME).`,
  );
}

function replayId(
  ask: ReplayAsk,
  file: Pick<TranscriptFile, 'sha256' | 'sessions'>,
  { index }: Pick<TranscriptSession, 'index'>,
  configured: string,
): SessionId {
  const part = file.sessions.length > 1 ? `-${String(index)}` : '';
  const wire = ask.wire === undefined || ask.wire === DEFAULT_WIRE ? '' : `-${ask.wire}`;
  // A format may have the name of a wire.
  const reading = `${ask.format === undefined ? '' : `-as-${ask.format}`}${ask.tree === true ? '-tree' : ''}`;
  return `replay-${file.sha256.slice(0, 12)}-${ask.engine ?? configured}-${String(ask.window)}${wire}${reading}${part}` as SessionId;
}

/** Formats of one record a line count positions from 1. */
function isLines(format: FormatName): boolean {
  return format === 'pi' || format === 'claude-code';
}
