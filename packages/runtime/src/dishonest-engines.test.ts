import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ContextEngine, EngineDefinition, ModelRequest } from '@palimpsest/contracts';
import { createRuntime, type HostRuntime, type Session } from './index.ts';

const folders: string[] = [];
let runtime: HostRuntime | null = null;
afterEach(async () => {
  await runtime?.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const manifest = {
  name: 'odd',
  version: '1.0.0',
  contract: '^1.0',
  description: '',
  main: 'none',
  provides: ['context-engine'],
  owns: [],
  needs: [],
  permissions: [],
  options: {},
} as const;

/** A session on a window of 16,000 tokens whose engine is `engine`; what was sent is kept. */
async function opened(engine: ContextEngine): Promise<{ readonly session: Session; readonly sent: ModelRequest[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-odd-'));
  folders.push(folder);
  const sent: ModelRequest[] = [];
  const definition = {
    manifest: { ...manifest, provides: [...manifest.provides], owns: [], needs: [], permissions: [] },
    factory: () => engine,
  } as EngineDefinition;
  runtime = await createRuntime({
    projectDir: folder,
    plugins: [definition],
    config: {
      context: { engine: 'odd' },
      store: { path: join(folder, 'a.db') },
      agent: { model: 'm' },
      models: { m: { provider: 'scripted', script: [{ text: 'x' }], window_tokens: 16_000 } },
    },
    models: {
      m: {
        route: 'openai-chat:test/m',
        call: (request) => {
          sent.push(request);
          return Promise.resolve({
            kind: 'reply',
            message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
            calls: [],
            usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
            finish: 'stop',
          });
        },
      },
    },
  });
  return { session: await runtime.openSession({ id: 's' }), sent };
}

it('a summary is counted by the host, whatever the engine says of it', async () => {
  const { session, sent } = await opened({
    plan: ({ branch, newestUserEntry }) => ({
      segments:
        branch.first === newestUserEntry || newestUserEntry === null
          ? [{ through: branch.last, show: 'entries' }]
          : [
              {
                through: branch.first,
                show: 'summary',
                text: { inline: 'word '.repeat(60_000) },
                tokens: 1,
                quality: 'model',
                trust: 'tool',
              },
              { through: branch.last, show: 'entries' },
            ],
      estimateTokens: 1,
    }),
  });
  await expect(session.send('hello').result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED' });
  expect(sent).toEqual([]);
});

it('the budget that an engine is given is a copy: writing to it changes nothing', async () => {
  const { session, sent } = await opened({
    plan: ({ branch, budget }) => {
      try {
        (budget as { effective: number }).effective = 1e9;
      } catch {
        // frozen
      }
      return { segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 1 };
    },
  });
  await session.send(`read this: ${'word '.repeat(30_000)}`).result.catch(() => undefined);
  for (const request of sent) expect(JSON.stringify(request).length).toBeLessThan(120_000);
});

it('answers of `begin` and `observe` that are none are named, and end nothing', async () => {
  const { session } = await opened({
    plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 1 }),
    begin: () => Promise.resolve([null] as never),
    observe: () => Promise.reject(new Error('late')),
  });
  expect(await session.send('hello').result).toMatchObject({ ended: 'answered' });
  const { engine } = await session.status();
  expect(engine.failures.join('\n')).toMatch(/begin.*\n.*observe/u);
});

it('a plan that is no plan is answered by the built-in engine', async () => {
  const { session } = await opened({
    plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'summary' } as never], estimateTokens: 1 }),
  });
  expect(await session.send('hello').result).toMatchObject({ ended: 'answered' });
});

it('a tool whose name no wire takes is offered under a legal one and found by it', async () => {
  const tools = [{ name: 'fs.read', description: 'reads', inputSchema: { type: 'object' }, run: () => Promise.resolve('the file') }];
  const { session, sent } = await opened({
    plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 1 }),
    tools,
  });
  await session.send('hello').result;
  expect(sent[0]?.tools.map(({ name }) => name)).toEqual(['fs_read']);
  expect(await session.loop.callTool('fs_read', {})).toBe('the file');
});

it('a prepared step is not recorded onto another path', async () => {
  const { session } = await opened({
    plan: ({ branch }) => ({ segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 1 }),
  });
  const first = await session.loop.submit('one');
  const prepared = await session.loop.prepare();
  if (!('stepId' in prepared)) throw new Error('refused');
  await session.moveTo(first);
  await session.moveTo(null);
  await expect(
    session.loop.record(prepared.stepId, { reply: { role: 'assistant', content: [{ type: 'text', text: 'late' }] } }),
  ).rejects.toMatchObject({ code: 'LOG_LEAF_MOVED' });
});
