/**
 * The highest level at which sizes cut down to it add up to at most `allowed`: the largest give first, small ones give nothing.
 * Never below `floor`. Pure; tokens.
 */
export function waterLevel(sizes: readonly number[], allowed: number, floor: number): number {
  const ascending = sizes.toSorted((a, b) => a - b);
  let left = allowed;
  for (const [at, size] of ascending.entries()) {
    const share = left / (ascending.length - at);
    if (size > share) return Math.max(floor, Math.floor(share));
    left -= size;
  }
  return Math.max(floor, ascending.at(-1) ?? 0);
}
