import fc from 'fast-check';
import type { Json } from '@palimpsest/contracts';
import { MemoryBranch } from './memory-branch.ts';

type Step =
  | { readonly kind: 'user' | 'notice' | 'handoff' | 'reply' | 'orphan'; readonly tokens: number }
  | { readonly kind: 'tools'; readonly results: readonly number[]; readonly text: boolean; readonly fails: boolean }
  | { readonly kind: 'silent' };

const size = (): fc.Arbitrary<number> => fc.oneof({ weight: 6, arbitrary: fc.nat(300) }, { weight: 2, arbitrary: fc.nat(3_000) }, { weight: 1, arbitrary: fc.nat(20_000) });
const step = (): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('user' as const), tokens: size() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('notice' as const, 'handoff' as const, 'orphan' as const), tokens: size() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply' as const), tokens: size() }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('tools' as const), results: fc.array(size(), { minLength: 1, maxLength: 3 }), text: fc.boolean(), fails: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'silent' as const }) },
  );

/** Paths of any shape: a turn may be one message or thousands of tokens of tool results. */
export function anySteps(maxLength = 60): fc.Arbitrary<readonly Step[]> {
  return fc.array(step(), { minLength: 1, maxLength });
}
export function anyBranch(maxLength = 60): fc.Arbitrary<MemoryBranch> {
  return anySteps(maxLength).map((steps) => grow(new MemoryBranch(), steps));
}

/** Adds the steps; the texts name files and ids that differ from step to step. */
export function grow(branch: MemoryBranch, steps: readonly Step[]): MemoryBranch {
  for (const one of steps) add(branch, one);
  return branch;
}

function add(branch: MemoryBranch, one: Step): void {
  const at = branch.entries.length;
  if (one.kind === 'silent') branch.silent();
  else if (one.kind === 'user') branch.user(filler(one.tokens, at));
  else if (one.kind === 'notice' || one.kind === 'handoff') branch.user(filler(one.tokens, at), one.kind);
  else if (one.kind === 'reply') branch.reply(filler(one.tokens, at));
  else if (one.kind === 'orphan') branch.result(`orphan${String(at)}`, filler(one.tokens, at));
  else branch.tools(one.results.map((tokens, index) => ({ name: index % 2 === 0 ? 'read' : 'bash', input: inputOf(at, index), output: one.fails ? { type: 'error-text' as const, value: filler(tokens, at) } : filler(tokens, at) })), one.text ? filler(20, at) : '');
}

function inputOf(at: number, index: number): Json {
  return index % 2 === 0 ? { path: `src/part${String(at)}/file${String(index)}.ts` } : { command: `cat notes${String(at)}.md > out${String(at)}.txt` };
}

export function filler(tokens: number, at: number): string {
  const line = `line about item_${String(at)} in lib/mod${String(at)}.py, see ticket AB-${String(1000 + at)}.\n`;
  return line.repeat(Math.ceil((tokens * 4) / line.length)).slice(0, tokens * 4);
}
