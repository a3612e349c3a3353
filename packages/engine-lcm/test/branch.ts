import type { BranchReader, EntryId, Placed } from '@palimpsest/contracts';

export const id = (at: number): EntryId => `e${String(at)}` as EntryId;

/** User entries with these texts (null: bookkeeping). `nodeEnds`: positions of the last entry of each covered stretch, in order. */
export function branchOf(texts: readonly (string | null)[], nodeEnds: readonly number[] = []): BranchReader {
  const placed = texts.map((text, at) => {
    const end = nodeEnds.find((through) => through >= at);
    const segment =
      end === undefined
        ? null
        : { through: id(end), show: 'summary', text: { inline: 'node' }, tokens: 5, quality: 'model', trust: 'tool' };
    const shape =
      segment !== null ? { kind: 'covered', by: 'compaction', segment } : text === null ? { kind: 'silent' } : { kind: 'whole' };
    const body =
      text === null
        ? { kind: 'label' }
        : { kind: 'message', origin: 'user_input', message: { role: 'user', content: [{ type: 'text', text }] } };
    return {
      entry: { id: id(at), seq: at, time: '2026-01-01T00:00:00.000Z', ...body },
      shape,
      shownTokens: shape.kind === 'whole' ? 10 : 0,
      group: id(at),
    } as unknown as Placed;
  });
  const at = (wanted: EntryId | null): number => placed.findIndex(({ entry }) => entry.id === wanted);
  async function* walk(items: readonly Placed[]): AsyncGenerator<Placed> {
    for (const item of items) yield await Promise.resolve(item);
  }
  return {
    newestFirst: (from) => walk(placed.slice(0, from === undefined ? undefined : at(from) + 1).toReversed()),
    oldestFirst: (after) => walk(placed.slice(at(after) + 1)),
    get: (wanted) => Promise.resolve(placed[at(wanted)] ?? null),
    first: id(0),
    last: id(texts.length - 1),
    shownTokens: placed.reduce((sum, { shownTokens }) => sum + shownTokens, 0),
    compaction: null,
  };
}
