import { expect, it } from 'vitest';
import type { Artifact, EngineHost, Json } from '@palimpsest/contracts';
import { artifactOf } from '@palimpsest/testing';
import { branchOf } from '../test/branch.ts';
import { NodeWriter } from './node-writer.ts';
import { lcmOptions, type LcmOptions } from './options.ts';
import { piecesOf, type Piece } from './pieces.ts';

it('folds leaves of the same compaction by their text', async () => {
  const priors: (string | undefined)[] = [];
  let leaves = 0;
  const host = {
    options: lcmOptions.parse({}),
    tokens: { count: () => 5, block: () => 5 },
    summarize: ({ prior }: { readonly prior?: string }) => {
      priors.push(prior);
      return Promise.resolve({
        text: prior === undefined ? `leaf ${String((leaves += 1))}` : 'fold',
        quality: 'model',
        model: null,
        tokens: 5,
      });
    },
    // Nothing is stored before the host has written the whole compaction.
    artifacts: {
      make: (kind: string, body: string, source: Artifact['source'], madeBy: Json) => artifactOf(kind, body, { source, madeBy }),
      get: () => Promise.resolve(null),
    },
  } as unknown as EngineHost<LcmOptions>;
  const pieces = (await piecesOf({ branch: branchOf(['a', 'b', 'c', 'd']), newestUserEntry: null, protectedEntries: [] })).map(
    (piece): Piece => ({ ...piece, tokens: 100 }),
  );
  const writer = new NodeWriter(host, { focus: null, signal: new AbortController().signal });
  const made = [await writer.leaf(pieces.slice(0, 2)), await writer.leaf(pieces.slice(2))].flatMap((node) =>
    node === null ? [] : [{ ...node.piece, tokens: 100 }],
  );
  const fold = await writer.fold(made);
  expect(priors).toEqual([undefined, undefined, 'leaf 1\n\nleaf 2']);
  expect(fold?.artifact.madeBy).toMatchObject({ level: 1 });
  const above = await writer.fold([made[0], fold?.piece].flatMap((piece) => (piece === undefined ? [] : [{ ...piece, tokens: 100 }])));
  expect(above?.artifact.madeBy).toMatchObject({ level: 2 });
});
