import type { Resolution, SessionStatus } from '@palimpsest/contracts';
import type { ReplayLedger } from './ledger.ts';
import type { ReplayReport, Substitution } from './report.ts';

/** Pure. The engine whose figures these are: the asked one, unless another one planned every request in its place; and who stood in, when and why. */
export function engineOf(
  resolution: SessionStatus['engine'],
  { planned, replaced }: Pick<ReplayLedger, 'planned' | 'replaced'>,
): ReplayReport['engine'] {
  const { asked, name, version, resolvedFrom } = resolution;
  const own = `${name}@${version}`;
  const requests = (engine: string): number => planned.get(engine) ?? 0;
  if (resolution.substituted)
    return { name, version, resolvedFrom, substitution: { asked, by: own, requests: requests(own), why: lookedUp(resolution) } };
  if (replaced === null) return { name, version, resolvedFrom, substitution: null };
  const why = [...new Set(resolution.failures)].slice(0, 3).join('; ') || replaced.rule;
  const substitution: Substitution = { asked, by: replaced.to, requests: requests(replaced.to), why };
  if (requests(own) > 0 || substitution.requests === 0) return { name, version, resolvedFrom, substitution };
  const [standIn = '', standInVersion = ''] = replaced.to.split('@');
  return { name: standIn, version: standInVersion, resolvedFrom: 'built-in', substitution };
}

const lookedUp = ({ lookups }: Resolution): string => lookups.map(({ place, why }) => `${place}: ${why}`).join('; ');
