import fc from 'fast-check';
import type { Json, ToolOutput } from '@palimpsest/contracts';
import { MemoryBranch } from './memory-branch.ts';

interface Calls {
  readonly kind: 'tools';
  readonly results: readonly number[];
  readonly text: boolean;
  readonly fails: boolean;
}
interface Text {
  readonly kind: 'user' | 'notice' | 'handoff' | 'reply' | 'orphan';
  readonly tokens: number;
}
type Step = Text | Calls | { readonly kind: 'silent' };

const size = (): fc.Arbitrary<number> =>
  fc.oneof({ weight: 6, arbitrary: fc.nat(300) }, { weight: 2, arbitrary: fc.nat(3_000) }, { weight: 1, arbitrary: fc.nat(20_000) });
const step = (): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('user' as const), tokens: size() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('notice' as const, 'handoff' as const, 'orphan' as const), tokens: size() }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply' as const), tokens: size() }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('tools' as const),
        results: fc.array(size(), { minLength: 1, maxLength: 3 }),
        text: fc.boolean(),
        fails: fc.boolean(),
      }),
    },
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
  if (one.kind === 'silent') branch.silent();
  else if (one.kind === 'tools') addCalls(branch, one);
  else addText(branch, one, filler(one.tokens, branch.entries.length));
}

function addText(branch: MemoryBranch, { kind }: Text, text: string): void {
  if (kind === 'reply') branch.reply(text);
  else if (kind === 'orphan') branch.result(`orphan${String(branch.entries.length)}`, text);
  else branch.user(text, kind === 'user' ? 'user_input' : kind);
}

function addCalls(branch: MemoryBranch, { results, text, fails }: Calls): void {
  const at = branch.entries.length;
  const outputs = results.map((tokens): ToolOutput => ({ type: fails ? 'error-text' : 'text', value: filler(tokens, at) }));
  branch.tools(
    outputs.map((output, index) => ({ name: index % 2 === 0 ? 'read' : 'bash', input: inputOf(at, index), output })),
    text ? filler(20, at) : '',
  );
}

function inputOf(at: number, index: number): Json {
  return index % 2 === 0
    ? { path: `src/part${String(at)}/file${String(index)}.ts` }
    : { command: `cat notes${String(at)}.md > out${String(at)}.txt` };
}

export function filler(tokens: number, at: number): string {
  const line = `line about item_${String(at)} in lib/mod${String(at)}.py, see ticket AB-${String(1000 + at)}.\n`;
  return line.repeat(Math.ceil((tokens * 4) / line.length)).slice(0, tokens * 4);
}
