import { errors, type PalimpsestError } from '@palimpsest/contracts/plain';
import { dotted } from './dotted-path.ts';
import type { Located, Position } from './located.ts';

/** One thing that is wrong in a document. */
export interface Fault {
  readonly at: Position | null;
  readonly path: string;
  readonly problem: string;
  readonly near: string | null;
}

export const faultAt = (node: Located, problem: string, near: string | null = null): Fault => ({
  at: node.at,
  path: dotted(node.path),
  problem,
  near,
});
/** At the key rather than the value. */
export const faultAtKey = (node: Located, problem: string, near: string | null = null): Fault => ({
  at: node.keyAt,
  path: dotted(node.path),
  problem,
  near,
});

/** Without repetitions, in reading order within a file; files keep the order in which they first appear. */
export function inOrder(faults: readonly Fault[]): readonly Fault[] {
  const files = [...new Set(faults.map((fault) => fault.at?.file ?? ''))];
  const seen = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  const rank = ({ at }: Fault): number => files.indexOf(at?.file ?? '');
  return [...seen.values()].toSorted(
    (a, b) => rank(a) - rank(b) || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

/** One error for all faults: it speaks of the first and carries the others. `next`: what to do, where more is known than the fault says. */
export function configError(faults: readonly Fault[], next: string | null = null): PalimpsestError {
  const [first, ...others] = inOrder(faults);
  if (first === undefined) throw new RangeError('No fault to report');
  return errors.configInvalid(
    first.at,
    first.path,
    first.problem,
    first.near,
    others.map(({ at, ...fault }) => ({ ...fault, at: at === null ? null : { ...at } })),
    next,
  );
}

/** What a CONFIG_INVALID speaks of: the inverse of {@link configError}. */
export function faultsIn({ details }: Pick<PalimpsestError, 'details'>): readonly Fault[] {
  const { others, file, line, column, ...first } = details;
  const at = file === undefined ? null : { file, line, column };
  return [{ ...first, at }, ...(others as readonly object[])] as unknown as readonly Fault[];
}
