/** Why a process ends although its command is not done. Pure. */
import { fileURLToPath } from 'node:url';

/** A place in a stack that is none of Node's own, as `file:line`. */
function placeIn(frames: readonly string[]): string | null {
  const frame = frames.find((line) => /:\d+:\d+\)?$/u.test(line) && !/\bnode:/u.test(line));
  const [, place, row] = /(?:\(|at (?:async )?)([^()]+?):(\d+):\d+\)?$/u.exec(frame ?? '') ?? [];
  if (place === undefined || row === undefined) return null;
  return `${place.startsWith('file:') ? fileURLToPath(place) : place}:${row}`;
}

/** `stack` is that of a listener to `exit`: what stands behind `process.exit` in it called that. */
export function howItEnded(stack: string, code: number): string {
  const frames = stack.split('\n').slice(1);
  const exit = frames.findIndex((frame) => /\bprocess\.(?:reallyExit|exit) \(node:/u.test(frame));
  if (exit < 0) return 'it waits for an answer that nothing is left to give';
  const place = placeIn(frames.slice(exit + 1));
  return `process.exit(${String(code)}) was called${place === null ? '' : ` in ${place}`}`;
}

/** An error that nobody caught. */
export function howItBroke(thrown: unknown): string {
  const place = thrown instanceof Error ? placeIn((thrown.stack ?? '').split('\n').slice(1)) : null;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return `nobody caught an error${place === null ? '' : ` of ${place}`}: ${message}`;
}
