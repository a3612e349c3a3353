import { ENGINE_CONTRACT_VERSION } from '@palimpsest/contracts';

const RANGE = /^(\^?)(\d+)\.(\d+)(?:\.\d+)?(?:-rc)?$/u;

/**
 * Why this host cannot run an engine written for `range`; null: it can. `^1.2` takes any 1.x from 1.2 on, `1.2` that one alone. A release
 * candidate counts as the release it leads to.
 */
export function contractProblem(range: string, version: string = ENGINE_CONTRACT_VERSION): string | null {
  const wanted = RANGE.exec(range);
  const offered = RANGE.exec(version);
  if (wanted === null || offered === null) return `contract "${range}" is no range; write "^1.0"`;
  const [, caret, major, minor] = wanted;
  const [, , ownMajor, ownMinor] = offered;
  const fits = major === ownMajor && (caret === '' ? minor === ownMinor : Number(minor) <= Number(ownMinor));
  return fits ? null : `contract ${range} is asked for, this host speaks ${version}`;
}
