import { statSync } from 'node:fs';
import { join } from 'node:path';
import { importTranscript, openTurn, type OpenedSession } from '@palimpsest/runtime';
import Database from 'better-sqlite3';
import { writePiFile } from './conversation.ts';
import { median, paired, StallWatch, timed, type Figure } from './measure.ts';
import { constantModel, fill, openBench, openOn } from './sessions.ts';

const BIG = 10_000;
const signal = new AbortController().signal;

/** Reading and folding 10,000 messages and rendering them all, against reading and parsing the same rows bare. */
export async function assembling(): Promise<readonly Figure[]> {
  const bench = await openBench('normal');
  const session = await openOn(bench.runtime, 'big', 100_000_000, 'pass-through');
  await fill(session, BIG);
  const turn = openTurn(session.kit.journal.branch().last, { content: '' });
  await session.kit.views.changeDrafts(null);
  const bare = new Database(bench.storeFile, { readonly: true });
  const rows = bare.prepare('SELECT * FROM entries ORDER BY key DESC');
  const stalls = new StallWatch();
  const { a, b } = await paired(
    25,
    async () => {
      await session.kit.journal.refresh(true);
      await session.kit.views.assemble(turn, signal);
    },
    () => rows.all().map((row) => parsed(row as { body: unknown })),
  );
  const longest = stalls.stop();
  bare.close();
  await session.session.close();
  await bench.close();
  return [
    {
      name: 'view from 10,000 messages / the same rows read bare, bodies parsed',
      value: a / b,
      bound: 3,
      unit: '×',
      note: `${a.toFixed(1)} ms against ${b.toFixed(1)} ms`,
    },
    {
      name: 'longest event-loop stall meanwhile (bare rows included)',
      value: longest,
      bound: Number.POSITIVE_INFINITY,
      unit: 'ms',
      note: 'the bare reading blocks too',
    },
  ];
}

function parsed({ body }: { readonly body: unknown }): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body;
}

/** The appends of a turn (user, step and reply) early and late in a long session. */
export async function appends(): Promise<readonly Figure[]> {
  const bench = await openBench('full');
  const session = await openOn(bench.runtime, 'turns', 100_000, 'compressor');
  const stalls = new StallWatch();
  const early = await turns(session, 200, 10);
  await fillTurns(session, 9_600);
  const late = await turns(session, 200, 0);
  const longest = stalls.stop();
  await session.session.close();
  await bench.close();
  return [
    {
      name: "a turn's appends at turn 10,000 / at turn 10, p50",
      value: late / early,
      bound: 1.2,
      unit: '×',
      note: `${late.toFixed(2)} ms against ${early.toFixed(2)} ms`,
    },
    { name: 'longest event-loop stall in 10,000 turns', value: longest, bound: 20, unit: 'ms', note: '' },
  ];
}

/** p50 of four appends of one turn: user, step with reply, result, step with reply. */
async function turns({ kit }: OpenedSession, count: number, skip: number): Promise<number> {
  const hold = await kit.journal.hold();
  const times: number[] = [];
  for (let at = 0; at < count + skip; at += 1) {
    const drafts = await Promise.all([
      kit.drafts.user({ content: 'go on please' }, null),
      kit.drafts.message(
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: {} }] },
        'model',
        null,
      ),
      kit.drafts.result({ id: 'c', name: 'read', input: {} }, { type: 'text', value: 'some output' }, null),
      kit.drafts.message({ role: 'assistant', content: [{ type: 'text', text: 'done' }] }, 'model', null),
    ]);
    const ms = await timed(async () => {
      for (const draft of drafts) await kit.journal.append([draft]);
    });
    if (at >= skip) times.push(ms);
  }
  await hold.release();
  return median(times);
}

async function fillTurns({ kit }: OpenedSession, count: number): Promise<void> {
  const hold = await kit.journal.hold();
  for (let at = 0; at < count; at += 50) {
    const drafts = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? kit.drafts.user({ content: 'go on please' }, null)
          : kit.drafts.message({ role: 'assistant', content: [{ type: 'text', text: 'done' }] }, 'model', null),
      ),
    );
    await kit.journal.append(drafts);
  }
  await hold.release();
}

/** The database of an imported session, index included, against its file. */
export async function databaseSize(): Promise<readonly Figure[]> {
  const bench = await openBench('normal');
  const file = join(bench.folder, 'session.jsonl');
  const bytes = writePiFile(file, BIG);
  const stalls = new StallWatch();
  const ms = await timed(() => importTranscript(bench.runtime, { file }));
  const longest = stalls.stop();
  await bench.runtime.store.search.query({ text: 'budget engine', limit: 1 });
  await bench.runtime.close();
  const size = statSync(bench.storeFile).size;
  return [
    {
      name: 'database with index / source file',
      value: size / bytes,
      bound: 2.5,
      unit: '×',
      note: `${(size / 1e6).toFixed(1)} MB of ${(bytes / 1e6).toFixed(1)} MB, imported in ${(ms / 1000).toFixed(1)} s`,
    },
    { name: 'longest event-loop stall while importing', value: longest, bound: 20, unit: 'ms', note: '' },
  ];
}

/** A step on a 32k window after maintenance, in a session of 10,000 and of 1,000 messages. */
export async function stepWork(): Promise<readonly Figure[]> {
  const bench = await openBench('normal');
  const [small, big] = [
    await openOn(bench.runtime, 'small', 32_000, 'compressor'),
    await openOn(bench.runtime, 'large', 32_000, 'compressor'),
  ];
  await fill(small, 1_000);
  await fill(big, BIG);
  for (const { session } of [small, big]) for (let at = 0; at < 3; at += 1) await session.send('and now?').result;
  const { a, b } = await paired(
    15,
    () => big.session.send('and now?').result,
    () => small.session.send('and now?').result,
  );
  await bench.close();
  return [
    {
      name: 'a step at 10,000 messages / at 1,000',
      value: a / b,
      bound: 1.2,
      unit: '×',
      note: `${a.toFixed(1)} ms against ${b.toFixed(1)} ms`,
    },
  ];
}

/** Ten turns over a model that takes 100 ms, against calling it bare. */
export async function kernelOverhead(): Promise<readonly Figure[]> {
  const bench = await openBench('full');
  const model = constantModel(100);
  const session = await openOn(bench.runtime, 'thin', 128_000, 'pass-through', model);
  const request = { route: model.route, system: '', tools: [], messages: [], settings: {} };
  const { a, b } = await paired(
    5,
    async () => {
      for (let at = 0; at < 10; at += 1) await session.session.send('again').result;
    },
    async () => {
      for (let at = 0; at < 10; at += 1) await model.call(request, { signal });
    },
  );
  await session.session.close();
  await bench.close();
  return [
    {
      name: 'kernel with a pass-through engine / bare loop, 100 ms model',
      value: a / b,
      bound: 1.05,
      unit: '×',
      note: `${(a / 10).toFixed(1)} ms against ${(b / 10).toFixed(1)} ms a turn`,
    },
  ];
}
