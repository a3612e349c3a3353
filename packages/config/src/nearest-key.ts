/** `maxSteps`, `max-steps` and `Max_Steps` are one word: what differs in spelling style alone is nearest of all. */
export const plainKey = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .replace(/[-\s]/gu, '_')
    .toLowerCase();

/** Letters to change, add, remove or swap with their neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same, swapped));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? a.length;
}

/** The known key that was most likely meant; of equally near ones the first. Null: none is near (more than a third of the letters differ). */
export function nearestKey(wanted: string, known: readonly string[]): string | null {
  // A key longer than any known one by half cannot be near; this keeps hostile input cheap.
  if (wanted.length > 100) return null;
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly key: string; readonly distance: number } | null = null;
  for (const key of known) {
    const distance = editDistance(plainKey(wanted), plainKey(key));
    if (distance <= limit && (best === null || distance < best.distance)) best = { key, distance };
  }
  return best === null ? null : best.key;
}
