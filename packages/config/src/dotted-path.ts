/** The way to a value from the root of a document: keys and list indices. */
export type Path = readonly (string | number)[];

/** `compression.model_thresholds["gpt-4.1"]`: plain keys by dots, all others quoted, so that no two paths read alike. */
export function dotted(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${String(step)}]`;
      if (!/^[\w-]+$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

const STEP = /\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/** The inverse of {@link dotted}; null for a text that is no path. */
export function pathOf(text: string): Path | null {
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const [found, key, index, quoted] = STEP.exec(text) ?? [];
    if (found === undefined) return null;
    const step = quoted === undefined ? key : unquoted(quoted);
    if (step === null) return null;
    path.push(step ?? Number(index));
  }
  return path;
}

function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}
