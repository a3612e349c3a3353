import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '@palimpsest/contracts';
import { Bench, entriesOf } from '../../test/bench.ts';
import { definition } from '../../test/engines.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { piFile } from '../../test/pi-file.ts';
import { compareEngines, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model: new FunctionModel() });
});
afterAll(async () => {
  await bench.close();
});

it('refuses to start over while somebody writes to the session, and takes nothing away from him', async () => {
  const file = await piFile(bench.folder, 'held.jsonl', 2);
  const [report] = await replayTranscript(runtime, { file, window: 16_000 });
  const id = report?.session as never;
  const { leases, log } = runtime.store;
  const lease = await leases.acquire(id, 'somebody', 60_000);
  if (!('fence' in lease)) throw new Error('the replay did not give its lease back');
  await expect(replayTranscript(runtime, { file, window: 16_000 })).rejects.toMatchObject({
    code: 'SESSION_BUSY',
    details: { session: id, heldBy: 'somebody' },
  });
  expect((await entriesOf(runtime, id)).length).toBeGreaterThan(8);
  await leases.release(lease);
  expect(await replayTranscript(runtime, { file, window: 16_000 })).toMatchObject([{ session: id }]);
  expect(await log.session(id)).not.toBeNull();
});

it('leaves no replay behind that failed half way, and keeps the earlier one when only an option is wrong', async () => {
  const file = await piFile(bench.folder, 'replay.jsonl', 3);
  const [report] = await replayTranscript(runtime, { file, window: 16_000 });
  const entries = await entriesOf(runtime, report?.session ?? '');
  await expect(replayTranscript(runtime, { file, window: 16_000, probesFile: file })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  await expect(replayTranscript(runtime, { file, window: 16_000, dumpDir: file })).rejects.toMatchObject({
    code: 'FILE_UNWRITABLE',
    kind: 'config',
  });
  expect(await entriesOf(runtime, report?.session ?? '')).toEqual(entries);
  const fails = replayTranscript(runtime, {
    file,
    window: 16_000,
    onProgress: ({ requests }) => {
      if (requests === 3) throw new Error('no more');
    },
  });
  await expect(fails).rejects.toThrow('no more');
  expect(await runtime.store.log.session(report?.session as never)).toBeNull();
  await appendFile(file, '');
  expect(await replayTranscript(runtime, { file, window: 16_000 })).toMatchObject([
    { session: report?.session, totals: report?.totals === undefined ? {} : { requests: report.totals.requests } },
  ]);
});

it('sends the same bytes each time, in this runtime and in another one', async () => {
  const file = await piFile(bench.folder, 'twice.jsonl', 8, 60_000);
  const other = await bench.runtime({ model: new FunctionModel() });
  const bodies: string[] = [];
  for (const [at, into] of [runtime, runtime, other].entries()) {
    const dumpDir = join(bench.folder, `dump-${String(at)}`);
    const [report] = await replayTranscript(into, { file, window: 16_000, dumpDir });
    expect(report?.totals).toMatchObject({ requests: 16, exhausted: 0 });
    const files = (await readdir(dumpDir)).sort();
    bodies.push((await Promise.all(files.map((name) => readFile(join(dumpDir, name), 'utf8')))).join('\n'));
  }
  expect(bodies[0]).toContain('all of it is in the session log, entry ');
  expect(bodies[1] === bodies[0]).toBe(true);
  expect(bodies[2] === bodies[0]).toBe(true);
});

it('sends a call id once a request on every wire where the file repeats it, and why gives the same bytes', async () => {
  const ask = (...ids: readonly string[]): object => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
  });
  const answer = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content });
  const file = join(bench.folder, 'repeated.json');
  await writeFile(
    file,
    JSON.stringify([
      // Of two calls of one id in a message the reader takes the nearest; the other gets a result that says there is none.
      { role: 'user', content: 'Go on.' },
      ask('c'),
      answer('c', 'of 1'),
      ask('c', 'c'),
      answer('c', 'of 3'),
      ask('c_2'),
      answer('c_2', 'of 4'),
      { role: 'assistant', content: 'Done.' },
    ]),
  );
  for (const [wire, calls, results] of [
    ['anthropic', /"type":"tool_use","id":"(\w+)"/gu, /"tool_use_id":"(\w+)","content":"(of \d)"/gu],
    ['openai-chat', /"id":"(\w+)","type":"function"/gu, /"tool_call_id":"(\w+)","content":"(of \d)"/gu],
    ['openai-responses', /"type":"function_call","call_id":"(\w+)"/gu, /"call_id":"(\w+)","output":"(of \d)"/gu],
  ] as const) {
    const dumpDir = join(bench.folder, `repeated-${wire}`);
    const [report] = await replayTranscript(runtime, { file, window: 16_000, wire, dumpDir });
    expect(report).toMatchObject({ totals: { requests: 4, invalidRequests: 0 }, invariants: { pairs: true, prefixStable: true } });
    for (const step of [1, 2, 3, 4]) {
      const why = await runtime.why(report?.session ?? '', step);
      expect([why.verified, why.body]).toEqual([true, await readFile(join(dumpDir, `00000${String(step)}.json`), 'utf8')]);
    }
    const body = await readFile(join(dumpDir, '000004.json'), 'utf8');
    expect([...body.matchAll(calls)].map(([, id]) => id)).toEqual(['c', 'c_2', 'c_3', 'c_2_2']);
    expect([...body.matchAll(results)].map(([, id, of]) => [id, of])).toEqual([
      ['c', 'of 1'],
      ['c_3', 'of 3'],
      ['c_2_2', 'of 4'],
    ]);
  }
});

it('says each thing once: which engine stood in for whom, and why', async () => {
  const file = await piFile(bench.folder, 'stands-in.jsonl', 3);
  const broken = await bench.runtime({
    plugins: [
      definition({
        plan: () => {
          throw new Error('plan broke');
        },
      }),
    ],
  });
  const [report] = await replayTranscript(broken, { file, window: 16_000, engine: 'strange' });
  expect(report?.notices).toEqual([
    'context engine strange@2.0.0 failed (plan: throws); compressor@0.1.0 stands in for the rest of the turn',
    'strange@2.0.0 plan: plan broke',
  ]);
  expect(report?.engine).toEqual({
    name: 'compressor',
    version: '0.1.0',
    resolvedFrom: 'built-in',
    substitution: { asked: 'strange', by: 'compressor@0.1.0', requests: 6, why: 'strange@2.0.0 plan: plan broke' },
  });
  const steps = (await entriesOf(broken, report?.session ?? '')).flatMap((entry) =>
    entry.kind === 'step' ? [entry.declined.map(({ what }) => what)] : [],
  );
  expect(steps).toEqual(steps.map(() => ['engine strange@2.0.0']));
  const [unknown] = await replayTranscript(broken, { file, window: 16_000, engine: 'nowhere' });
  expect(unknown?.notices).toEqual([expect.stringContaining('context engine "nowhere" was not found; "compressor" stands in')]);
  expect(unknown?.engine).toMatchObject({
    name: 'compressor',
    substitution: { asked: 'nowhere', by: 'compressor@0.1.0', requests: 6, why: expect.stringContaining('registry') as string },
  });
});

it("says how many requests are the stand-in's where the engine failed on the way", async () => {
  const file = await piFile(bench.folder, 'fails-later.jsonl', 4);
  let plans = 0;
  const plan: ContextEngine['plan'] = ({ branch }) => {
    plans += 1;
    if (plans > 6) throw new Error('out of ideas');
    return { segments: [{ through: branch.last, show: 'entries' }], estimateTokens: 0 };
  };
  const broken = await bench.runtime({ plugins: [definition({ plan })] });
  const [compared] = await compareEngines(broken, { files: [file], engines: ['strange'], window: 16_000 });
  const [report] = compared?.runs ?? [];
  expect(report?.engine).toMatchObject({
    name: 'strange',
    version: '2.0.0',
    resolvedFrom: 'registry',
    substitution: { asked: 'strange', by: 'compressor@0.1.0', why: 'strange@2.0.0 plan: out of ideas' },
  });
  expect(report?.engine.substitution?.requests).toBeGreaterThan(0);
  expect(report?.engine.substitution?.requests).toBeLessThan(report?.totals.requests ?? 0);
  expect(compared?.substitution).toEqual(report?.engine.substitution);
});

it('tells of each attempt to make room that came to nothing', async () => {
  const file = await piFile(bench.folder, 'refused.jsonl', 8, 60_000);
  const other = await bench.runtime({
    model: new FunctionModel(),
    plugins: [definition({ compact: () => Promise.resolve({ kind: 'noop', reason: 'nothing-eligible' }) })],
  });
  const [report] = await replayTranscript(other, { file, window: 16_000, engine: 'strange' });
  const [first] = report?.refusals ?? [];
  expect(first?.what).toMatch(/^strange@2.0.0: compact: nothing-eligible$/u);
  expect(report?.steps.flatMap(({ maintenance }) => maintenance).filter((what) => what.startsWith('refused (strange')).length).toBe(
    first?.times,
  );
});

it('keeps replays over different wires apart', async () => {
  const file = await piFile(bench.folder, 'wires.jsonl', 2);
  const [chat] = await replayTranscript(runtime, { file, window: 16_000 });
  const [same] = await replayTranscript(runtime, { file, window: 16_000, wire: 'openai-chat' });
  const [anthropic] = await replayTranscript(runtime, { file, window: 16_000, wire: 'anthropic' });
  expect(same?.session).toBe(chat?.session);
  expect(anthropic?.session).not.toBe(chat?.session);
  expect((await runtime.why(chat?.session ?? '')).route).toBe('openai-chat:replay/recorded');
  expect((await runtime.why(anthropic?.session ?? '')).route).toBe('anthropic:replay/recorded');
});

it('dumps into the folder of an earlier run as if it were new, and says what it removed', async () => {
  const dumpDir = join(bench.folder, 'twice-dumped');
  const [long, short] = [await piFile(bench.folder, 'long.jsonl', 4), await piFile(bench.folder, 'short.jsonl', 2)];
  expect(await replayTranscript(runtime, { file: long, window: 16_000, dumpDir })).toMatchObject([
    { dumped: { folder: dumpDir, requests: 8, removed: 0 } },
  ]);
  expect(await replayTranscript(runtime, { file: short, window: 16_000, dumpDir })).toMatchObject([
    { dumped: { folder: dumpDir, requests: 4, removed: 4 } },
  ]);
  expect(await readdir(dumpDir)).toHaveLength(4);
  await expect(replayTranscript(runtime, { file: long, window: 16_000, dumpDir, probesFile: long })).rejects.toMatchObject({
    code: 'USAGE_INVALID',
  });
  expect(await readdir(dumpDir)).toHaveLength(4);
  await expect(
    replayTranscript(runtime, {
      file: long,
      window: 16_000,
      dumpDir,
      onProgress: ({ requests }) => {
        if (requests === 2) throw new Error('no more');
      },
    }),
  ).rejects.toThrow('no more');
  expect(await readdir(dumpDir)).toHaveLength(2);
  expect((await replayTranscript(runtime, { file: short, window: 16_000 }))[0]).not.toHaveProperty('dumped');
});

it('refuses a name that no engine can have, and keeps the stand-in for one that nobody has', async () => {
  const file = await piFile(bench.folder, 'names.jsonl', 2);
  for (const engine of ['../../x', '', 'a b', 'Deep', 'x'.repeat(65)]) {
    await expect(replayTranscript(runtime, { file, window: 16_000, engine })).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      hint: expect.any(String) as string,
    });
    await expect(compareEngines(runtime, { files: [file], window: 16_000, engines: ['compressor', engine] })).rejects.toMatchObject({
      code: 'USAGE_INVALID',
    });
  }
  expect((await replayTranscript(runtime, { file, window: 16_000, engine: 'nobody-has-it' }))[0]?.session).toContain('-nobody-has-it-');
});

it('keeps readings of one file apart, each under a name of its own', async () => {
  const file = await piFile(bench.folder, 'readings.jsonl', 2);
  const asked = [
    {},
    { tree: false },
    { tree: true },
    { format: 'pi' },
    { format: 'pi', tree: true },
    { wire: 'anthropic' },
    { wire: 'anthropic', tree: true },
  ] as const;
  const names: string[] = [];
  for (const more of asked) names.push((await replayTranscript(runtime, { file, window: 16_000, ...more }))[0]?.session ?? '');
  const [plain = ''] = names;
  expect(plain).toMatch(/^replay-[0-9a-f]{12}-compressor-16000$/u);
  expect(names.map((name) => name.slice(plain.length))).toEqual([
    '',
    '',
    '-tree',
    '-as-pi',
    '-as-pi-tree',
    '-anthropic',
    '-anthropic-tree',
  ]);
});

it('does not start over a session that went on after its replay', async () => {
  const file = await piFile(bench.folder, 'continued.jsonl', 2);
  const [report] = await replayTranscript(runtime, { file, window: 16_000 });
  const session = await runtime.openSession({ id: report?.session ?? '' });
  await session.send('And now?').result;
  await session.close();
  const entries = await entriesOf(runtime, report?.session ?? '');
  await expect(replayTranscript(runtime, { file, window: 16_000 })).rejects.toMatchObject({
    code: 'USAGE_INVALID',
    hint: expect.stringContaining(`--session ${String(report?.session)}`) as string,
  });
  expect(await entriesOf(runtime, report?.session ?? '')).toEqual(entries);
  expect(await replayTranscript(runtime, { file, window: 17_000 })).toMatchObject([{ invariants: { fits: true } }]);
});
