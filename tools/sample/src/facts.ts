/** What can be read off printed text, so that what the agent says about it is true. */

export const lineCount = (text: string): number => (text === '' ? 0 : text.split('\n').length);

/** The names that a source text exports, in order. */
export function exportsIn(source: string): readonly string[] {
  const declared = [...source.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type|abstract class) (\w+)/gm)].map(
    (match) => match[1] ?? '',
  );
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap((match) =>
    (match[1] ?? '').split(',').map((name) => name.trim()),
  );
  return [...new Set([...declared, ...listed])].filter((name) => name !== '');
}

/** `a`, `b` and `c`. */
export function listed(names: readonly string[], most = 6): string {
  const shown = names.slice(0, most).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${String(rest)} more`;
  const final = shown.at(-1) ?? 'nothing';
  return shown.length < 2 ? final : `${shown.slice(0, -1).join(', ')} and ${final}`;
}

/** The first sentence of the comment on the file or on its first export, if there is one. */
export function purposeOf(source: string): string | null {
  const comment =
    /(?:^|\n)\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\nexport/.exec(source)?.[1] ?? /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\//.exec(source)?.[1];
  if (comment === undefined) return null;
  const text = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^[^@{]{12,160}?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? null;
}

/** One line about a file that was read. */
export function about(path: string, source: string): string {
  const names = exportsIn(source);
  const purpose = purposeOf(source);
  const head = `- \`${path}\` (${String(lineCount(source))} lines): exports ${listed(names, 5)}.`;
  return purpose === null ? head : `${head} ${purpose}`;
}

/** Lines of `path: number` or `number path` as pairs, largest first. */
export function counted(text: string): readonly (readonly [name: string, count: number])[] {
  const pairs = text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\S+)$/.exec(line);
    return match === null || match[2] === 'total' ? [] : [[match[2] ?? '', Number(match[1])] as const];
  });
  return pairs.sort((left, right) => right[1] - left[1]);
}

/** The last line that sums something up. */
export const summaryLine = (text: string, pattern: RegExp): string =>
  text
    .split('\n')
    .findLast((line) => pattern.test(line))
    ?.trim() ?? 'nothing to sum up';
