import { about } from './facts.ts';
import { read } from './scene.ts';
import type { Seen, Step } from './scene.ts';

const OPENINGS = [
  'Next to it:',
  'On to the neighbours.',
  'Now what these rest on.',
  'The rest of that folder.',
  'Following the imports.',
  'And these, which the others call.',
];

/** Reads files a few at a time, and says of the last few what was in them before going on. */
export function reading(paths: readonly string[], lead: string, atOnce = 3): readonly (Step | ((seen: Seen) => Step))[] {
  const groups = Array.from({ length: Math.ceil(paths.length / atOnce) }, (_, index) => paths.slice(index * atOnce, (index + 1) * atOnce));
  return groups.map((group, index) => (seen: Seen): Step => {
    const before = groups[index - 1];
    const say = before === undefined ? lead : `${notes(before, seen)}\n\n${OPENINGS[(paths.length + index) % OPENINGS.length] ?? ''}`;
    return { say, calls: group.map((path) => read(path)) };
  });
}

/** One line for each of the files that were read last. */
export const notes = (paths: readonly string[], seen: Seen): string =>
  paths.map((path, index) => about(path, seen.at(index - paths.length)?.text ?? '')).join('\n');
