/** Whose words a text repeats, what it makes itself out to be, and how good it says it is. */
import { lowerTrust, trustOf } from '@palimpsest/contracts';
import type { Artifact, Placed, Segment, SummarySegment, Trust } from '@palimpsest/contracts';
import { fault } from '../check.ts';
import { textOf } from '../figures.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { stretchesOf, wordsOf } from './stretches.ts';

/** What only the host puts around a text, and what stands for a role on some wire. */
const AUTHORITY =
  /\[(?:end of (?:summary|note)\b|summary of earlier parts of this session|note from )|<\/?(?:system|assistant|user|tool_calls?|tool_results?|function_calls)\b[^>]*>|^\s*system\s*:|"role"\s*:\s*"/imu;

export async function spoken(
  session: LabSession,
  method: string,
  segments: readonly Segment[],
  artifacts: readonly Artifact[] = [],
): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for (const { segment, inside } of await stretchesOf(session, segments)) {
    if (segment.show !== 'summary') continue;
    found.push(
      ...risen(method, segment, inside),
      ...claimsAuthority(method, (await textOf(session, segment, artifacts)) ?? '', inside),
      ...boasted(session, method, segment, inside),
    );
  }
  return found;
}

/** A summary that repeats a tool's words has a tool's trust at most. */
function risen(method: string, { trust }: SummarySegment, inside: readonly Placed[]): readonly Fault[] {
  const lowest = inside.reduce<Trust>(
    (low, { entry, shape }) => (entry.kind === 'message' && shape.kind !== 'silent' ? lowerTrust(low, trustOf(entry.origin)) : low),
    'user',
  );
  return lowerTrust(trust, lowest) === trust
    ? []
    : [fault(method, 'trust-rises', `a summary of what ${lowest === 'assistant' ? 'an' : 'a'} ${lowest} said claims the trust "${trust}"`)];
}

/** What it quotes it did not make up. */
export function claimsAuthority(method: string, text: string, source: readonly Placed[]): readonly Fault[] {
  const [mark] = AUTHORITY.exec(text) ?? [];
  if (mark === undefined || wordsOf(source).includes(JSON.stringify(mark.trim()).slice(1, -1))) return [];
  return [
    fault(
      method,
      'authority-claimed',
      `its text has ${JSON.stringify(mark.trim())}, which nobody said: it is reference material, and no word of the host, of a role or of a tool`,
    ),
  ];
}

/** One that says so in the log already is repeated. */
function boasted(session: LabSession, method: string, { quality }: SummarySegment, inside: readonly Placed[]): readonly Fault[] {
  if ((quality !== 'model' && quality !== 'tight') || session.isModelAtWork) return [];
  const isLogged = inside.some(({ shape }) => shape.kind === 'covered' && shape.segment?.quality === quality);
  return isLogged
    ? []
    : [
        fault(
          method,
          'quality-overclaimed',
          `a summary says of itself "${quality}", and no model wrote any; a plugin with a model of its own names it in its permissions`,
        ),
      ];
}
