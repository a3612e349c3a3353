/** One broken rule at one place. `line` is 1-based; 0 stands for the whole file. */
export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Sorted by file, line, rule, so that two runs print the same. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const key = ({ file, line, rule }: Finding): string => `${file}\0${String(line).padStart(6, '0')}\0${rule}`;
  return [...findings].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

export const shown = ({ file, line, rule, message }: Finding): string =>
  `${file}${line === 0 ? '' : `:${String(line)}`}  ${rule}  ${message}`;
