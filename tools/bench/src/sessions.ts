import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, type HostRuntime, type OpenedSession } from '@palimpsest/runtime';
import type { Answer, Draft, EngineDefinition, Model, SessionId } from '@palimpsest/contracts';
import { conversation } from './conversation.ts';

export interface Bench {
  readonly runtime: HostRuntime;
  readonly folder: string;
  readonly storeFile: string;
  close(): Promise<void>;
}

/** Shows everything, makes no room. */
export const passThrough: EngineDefinition = {
  manifest: {
    name: 'pass-through',
    version: '1.0.0',
    contract: '^1.0',
    description: '',
    main: 'none',
    provides: ['context-engine'],
    owns: [],
    needs: [],
    permissions: [],
    options: {},
  },
  factory: () => ({
    plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'entries' }], estimateTokens: branch.shownTokens }),
  }),
};

export async function openBench(durability: 'full' | 'normal' = 'full'): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const storeFile = join(folder, 'bench.db');
  const runtime = await createRuntime({ projectDir: folder, config: { store: { path: storeFile, durability } }, plugins: [passThrough] });
  return {
    runtime,
    folder,
    storeFile,
    close: async () => {
      await runtime.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Answers the same words to everything. */
export function constantModel(delayMs = 0): Model {
  const answer: Answer = {
    kind: 'reply',
    message: { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
    calls: [],
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: 'stop',
  };
  return {
    route: 'openai-chat:bench/constant',
    call: () =>
      new Promise((resolve) => {
        setTimeout(() => {
          resolve(answer);
        }, delayMs);
      }),
  };
}

export async function openOn(
  runtime: HostRuntime,
  id: string,
  windowTokens: number,
  engine: string,
  model: Model = constantModel(),
): Promise<OpenedSession> {
  const limits = { window: { tokens: windowTokens, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };
  return runtime.open({
    id: id as SessionId,
    name: null,
    tools: [],
    system: 'bench',
    engine,
    maxSteps: 1_000_000,
    chosen: { model, limits },
  });
}

/** Fills a session with messages, in appends of 200, without a model. */
export async function fill({ kit }: OpenedSession, messages: number): Promise<void> {
  const hold = await kit.journal.hold();
  let batch: Draft[] = [];
  for (const made of conversation(messages)) {
    batch.push(
      made.role === 'user'
        ? await kit.drafts.user({ content: made.text }, null)
        : await kit.drafts.message({ role: 'assistant', content: [{ type: 'text', text: made.text }] }, 'model', null),
    );
    if (batch.length === 200) {
      await kit.journal.append(batch);
      batch = [];
    }
  }
  await kit.journal.append(batch);
  await hold.release();
}
