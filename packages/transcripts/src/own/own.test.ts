import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Artifact, ArtifactId, Body, Entry, EntryId } from '@palimpsest/contracts';
import { MemoryStore } from '@palimpsest/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { one, read, scratch } from '../../test/building.ts';
import { anyKept, answered, artifact, called, each, joined, kept, replied, said, step, type Kept } from '../../test/own-sessions.ts';
import { text, userTexts } from '../../test/reading.ts';
import { exportSession, readOwnExport, type OwnRecord } from '../index.ts';

afterAll(() => {
  scratch.remove();
});
const written = ({ record, entries, artifacts }: Kept): Promise<string> =>
  joined(exportSession({ record, entries: each(entries), artifact: (id) => Promise.resolve(artifacts.get(id) ?? null) }));
async function records(content: string | Uint8Array): Promise<OwnRecord[]> {
  const found: OwnRecord[] = [];
  for await (const record of readOwnExport(scratch.write(content))) found.push(record);
  return found;
}
const notes = async (content: string | Uint8Array): Promise<string[]> =>
  (await records(content)).flatMap((record) => (record.kind === 'note' ? [`${String(record.line)} ${record.reason}`] : []));

/** What an importer does: append under each entry's own parent, in the order of the file. */
async function imported(content: string): Promise<{ store: MemoryStore; session: Kept['record'] }> {
  const store = new MemoryStore();
  let session: Kept['record'] | null = null;
  let held: Artifact[] = [];
  let leaf: EntryId | null = null;
  let end: EntryId | null = null;
  for await (const record of readOwnExport(scratch.write(content))) {
    if (record.kind === 'session') {
      const { id, name, parent, created } = record.header;
      session = await store.log.open({ id, name, parent, created });
      end = record.header.leaf;
    } else if (record.kind === 'artifact') held.push(record.artifact);
    else if (record.kind === 'entry') {
      const { parent, session: id, seq, depth, ...draft } = record.entry;
      if (parent !== leaf) await store.log.moveLeaf(id, parent, null);
      const [entry] = await store.log.append({ session: id, leaf: parent, fence: null, entries: [draft], artifacts: held });
      expect(entry).toMatchObject({ seq, depth });
      [held, leaf] = [[], draft.id];
    }
  }
  if (session === null) throw new Error('no session');
  if (end !== leaf) await store.log.moveLeaf(session.id, end, null);
  return { store, session: (await store.log.session(session.id)) ?? session };
}

async function exportedAgain({ store, session }: Awaited<ReturnType<typeof imported>>, ids: readonly EntryId[]): Promise<string> {
  const entries = await store.log.get(session.id, ids);
  return joined(exportSession({ record: session, entries: each(entries), artifact: (id) => store.artifacts.get(id) }));
}

const system = artifact('system_prompt', 'Be a cook.');
const tools = artifact('tool_schemas', '[{"name":"read","description":"d","inputSchema":{"type":"object"}}]', {
  source: { firstSeq: 1, lastSeq: 2 },
});
const summary = artifact('compaction_summary', 'Pots were listed.');
const prompt: Body = { kind: 'prompt', system: system.id, tools: tools.id, systemTokens: 3, toolsTokens: 9 };
const compaction: Body = {
  kind: 'compaction',
  by: 'test',
  trigger: 'manual',
  segments: [{ through: 'e2' as EntryId, show: 'summary', text: { artifact: summary.id }, tokens: 5, quality: 'model', trust: 'user' }],
  tokensBefore: 9,
  tokensAfter: 5,
};
const everything = (): Kept =>
  kept(
    [
      [prompt, -1],
      [said('List the pots.'), 0],
      [
        replied({ type: 'reasoning', text: 'Hm.' }, { type: 'opaque', provider: 'p', format: 'thinking', bytes: '{"a": 1}' }, called('c1')),
        1,
      ],
      [answered('c1', 'pot\u2028\ud800'), 2],
      [prompt, 3],
      [compaction, 4],
      [replied({ type: 'text', text: 'One.' }), 5],
      [{ kind: 'custom', by: 'plugin', key: 'note', data: { 10: 1, b: [null] }, shown: 'Remember.' }, 6],
      [{ ...said('An old summary.', 'handoff'), hidden: true } as Body, 7],
      [said('Left behind.'), 3],
      [{ kind: 'label', target: 'e3' as EntryId, label: 'here' }, 8],
      [{ kind: 'model-change', model: 'm', role: 'permanent', reason: 'user' }, 10],
    ],
    [system, tools, summary],
  );

describe('exporting', () => {
  it('writes artifacts once, before their first use, and keys in one order', async () => {
    const whole = everything();
    const lines = (await written(whole)).split('\n');
    expect(lines[0]).toBe(
      '{"type":"palimpsest-session","format":1,"session":{"id":"s-1","name":"Pots","parent":null,"created":"2026-01-01T00:00:00.000Z"},"log":1,"leaf":"e11","entries":12}',
    );
    expect(lines.map((line) => /^\{"(?:type":"artifact","id|id)":"([^"]*)/u.exec(line)?.[1] ?? '')).toEqual([
      '',
      system.id,
      tools.id,
      'e0',
      'e1',
      'e2',
      'e3',
      'e4',
      summary.id,
      'e5',
      'e6',
      'e7',
      'e8',
      'e9',
      'e10',
      'e11',
      '',
    ]);
    const shuffled = whole.entries.map((entry) => Object.fromEntries(Object.entries(entry).reverse()) as unknown as Entry);
    expect(await written({ ...whole, entries: shuffled })).toBe(lines.join('\n'));
  });

  it('takes along whatever entries name', async () => {
    const [state, patch, source] = [artifact('engine_state', '{}'), artifact('patch', '[]'), artifact('source', 'line')];
    const imported: Body = { ...said('Hi.'), source: { format: 'pi', line: 3, record: source.id } } as Body;
    const whole = kept(
      [
        [imported, -1],
        [{ ...compaction, state: state.id }, 0],
        [step('e0', patch.id), 1],
      ],
      [state, patch, source, summary],
    );
    const named = (await records(await written(whole))).flatMap((record) => (record.kind === 'artifact' ? [record.artifact.id] : []));
    expect(named).toEqual([source.id, summary.id, state.id, patch.id]);
  });

  it('gives the same bytes after an import into a store', async () => {
    const whole = everything();
    const content = await written(whole);
    expect(
      await exportedAgain(
        await imported(content),
        whole.entries.map(({ id }) => id),
      ),
    ).toBe(content);
  });

  it('gives the same bytes for any session', async () => {
    await fc.assert(
      fc.asyncProperty(anyKept(), async (whole) => {
        const content = await written(whole);
        const found = await records(content);
        expect(found.flatMap((record) => (record.kind === 'entry' ? [record.entry] : []))).toEqual(
          JSON.parse(JSON.stringify(whole.entries)),
        );
        expect(
          await exportedAgain(
            await imported(content),
            whole.entries.map(({ id }) => id),
          ),
        ).toBe(content);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe('reading an export again', () => {
  it('names an artifact that has no line, a lost end, a lost leaf', async () => {
    const whole = everything();
    expect(await notes(await written({ ...whole, artifacts: new Map<ArtifactId, Artifact>([[system.id, system]]) }))).toEqual([
      '3 artifact-missing',
      '7 artifact-missing',
      '8 artifact-missing',
    ]);
    const lines = (await written(whole)).trimEnd().split('\n');
    expect(await notes(lines.slice(0, 10).join('\n'))).toEqual(['10 ended-early', '10 leaf-missing']);
    expect(await notes(gzipSync(lines.join('\n')).subarray(0, -4))).toEqual([`${String(lines.length)} gzip-ended-early`]);
  });

  it('reads up to a torn tail, at every byte', async () => {
    const content = Buffer.from(await written(everything()));
    const begin = content.indexOf(10) + 1;
    const whole = await records(content);
    for (let end = begin; end < content.length; end += 37) {
      const part = await records(content.subarray(0, end));
      const kinds = part.filter(({ kind }) => kind !== 'note');
      expect(kinds).toEqual(whole.slice(0, kinds.length));
      if (content[end - 1] !== 10) expect(part.length - kinds.length).toBeGreaterThan(0);
    }
  });

  it.each<[string, (lines: string[]) => string[], number, RegExp]>([
    ['no JSON in the middle', (lines) => [...lines.slice(0, 4), '{"id":', ...lines.slice(4)], 5, /no JSON object/u],
    ['no object at the end', (lines) => [...lines, '7'], 17, /no JSON object/u],
    ['a second header', (lines) => [...lines, lines[0] ?? ''], 17, /second header/u],
    ['an entry twice', (lines) => [...lines, (lines[4] ?? '').replace('"seq":2', '"seq":99')], 17, /a second time/u],
    ['an artifact twice', (lines) => [...lines.slice(0, 2), ...lines.slice(1)], 3, /a second time/u],
    ['entries out of order', (lines) => [...lines.slice(0, 4), lines[5] ?? '', lines[4] ?? ''], 5, /does not come before/u],
    ['a seq that falls', (lines) => lines.map((line) => line.replace('"seq":3,', '"seq":1,')), 6, /seq 1 behind 2/u],
    [
      'an entry of another session',
      (lines) => lines.map((line) => line.replace('"session":"s-1","seq":2', '"session":"s-2","seq":2')),
      5,
      /session s-2/u,
    ],
    ['a body that is not valid', (lines) => lines.map((line) => line.replace('"origin":"user_input"', '"origin":"poet"')), 5, /origin/u],
    ['an envelope that is not valid', (lines) => lines.map((line) => line.replace('"depth":1', '"depth":-1')), 5, /depth/u],
    ['an unknown line', (lines) => [...lines, '{"type":"poem"}'], 17, /no header/u],
    ['no header', (lines) => lines.slice(1), 1, /header has to come first/u],
    ['a broken header', (lines) => [(lines[0] ?? '').replace('"log":1,', ''), ...lines.slice(1)], 1, /log/u],
  ])('refuses %s, with the line', async (_name, change, line, problem) => {
    const lines = change((await written(everything())).trimEnd().split('\n'));
    await expect(records(lines.join('\n'))).rejects.toMatchObject({
      code: 'TRANSCRIPT_LINE_INVALID',
      details: { line, problem: expect.stringMatching(problem) as string },
    });
  });

  it('refuses a later version, and what is no export', async () => {
    const content = await written(everything());
    await expect(records(content.replace('"format":1', '"format":2'))).rejects.toMatchObject({ code: 'TRANSCRIPT_UNSUPPORTED' });
    await expect(records('')).rejects.toMatchObject({ code: 'TRANSCRIPT_UNKNOWN_FORMAT' });
    await expect(records('{"type":"palim')).rejects.toMatchObject({ code: 'TRANSCRIPT_LINE_INVALID' });
  });

  it('survives any byte that changes', async () => {
    const content = Buffer.from(await written(everything()));
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(content);
        changed[at] = byte;
        await records(changed).catch((error: unknown) => {
          expect(error).toMatchObject({ code: expect.stringMatching(/^TRANSCRIPT_/u) as string });
        });
      }),
      { seed: 11, numRuns: 150 },
    );
  });
});

describe('our own export as a transcript', () => {
  it('shows what was shown', async () => {
    const { id, title, system: told, tools: schemas, items, report } = await one(await written(everything()));
    expect([id, title, told]).toEqual(['s-1', 'Pots', 'Be a cook.']);
    expect(schemas).toEqual([{ name: 'read', description: 'd', inputSchema: { type: 'object' } }]);
    expect(
      items.map((found) =>
        found.kind === 'hidden' ? `${found.kind} ${found.body.kind}` : found.kind === 'result' ? 'result' : text(found),
      ),
    ).toEqual([
      'List the pots.',
      '<reasoning><opaque><tool-call>',
      'result',
      'hidden compaction',
      'One.',
      'Remember.',
      'hidden message',
      'Left behind.',
      'hidden custom',
      'hidden model-change',
    ]);
    expect(report).toMatchObject({
      format: 'palimpsest',
      records: 16,
      userInput: 2,
      notice: 1,
      handoff: 1,
      compactions: 1,
      toolResults: 1,
      thinking: 1,
    });
    expect(report.skipped).toEqual([]);
    const marks = items.flatMap((found) => (found.kind === 'hidden' && found.body.kind === 'compaction' ? [found.body] : []));
    expect(marks).toMatchObject([{ segments: [], hidden: true, tokensBefore: 9 }]);
  });

  it('follows the leaf with tree', async () => {
    const content = await written(everything());
    const tree = await one(content, { tree: true });
    expect(userTexts(tree.items)).toEqual(['List the pots.', 'Remember.']);
    expect(tree.report.skipped).toMatchObject([{ line: 14, reason: 'rewound' }]);
  });

  it('takes tokens from the step of a reply', async () => {
    const { items, report } = await one(
      await written(
        kept([
          [said('Hi.'), -1],
          [replied({ type: 'text', text: 'Hello.' }), 0],
          [step('e1'), 1],
        ]),
      ),
    );
    expect(items[1]).toMatchObject({ usage: { input: 5, output: 2 } });
    expect(report).toMatchObject({ usage: { calls: 1, input: 5, cacheRead: 3 }, meta: 2, skippedRecords: 0 });
  });

  it('lists what is not valid, and reads two exports of one file', async () => {
    const content = await written(kept([[said('Hi.'), -1]]));
    const { sessions } = await read(
      `${content}{"type":"poem"}\n${content.replaceAll('s-1', 's-2')}${(content.split('\n')[1] ?? '').replaceAll('s-1', 's-2')}\n{"id`,
    );
    expect(sessions.map(({ id, items, report }) => [id, items.length, report.skipped.map(({ reason }) => reason)])).toEqual([
      ['s-1', 1, ['malformed']],
      ['s-2', 1, ['duplicate', 'torn']],
    ]);
  });
});
