import type { ModelFault } from '@palimpsest/contracts';

/** Token figures that a refusal states. */
export interface Stated {
  readonly limit?: number;
  readonly requested?: number;
}

/** A figure below this is no context limit; some servers print what was left instead of their limit. Tokens. */
const LEAST_LIMIT = 128;

const N = String.raw`([\d,]*\d)`;
const patterns = (...sources: readonly string[]): readonly RegExp[] => sources.map((source) => new RegExp(source.replaceAll('#', N), 'iu'));

/** The first that matches counts; its groups are added up. */
const overflowLimits = patterns(
  '> # maximum',
  String.raw`context limit: [\d,]+ \+ [\d,]+ > #`,
  String.raw`max(?:imum)? (?:context|prompt|input|model|sequence) (?:length|window|tokens)(?: is| of|:)? (?:only )?#`,
  'max length: #',
  'limit is #',
  String.raw`range of input length should be \[\d+, #\]`,
  String.raw`number of tokens allowed \(#\)`,
  'the limit of #',
  'max size: # tokens',
  'token limit: #',
  String.raw`context (?:window|length|size)(?: of)?(?: only)? \(?#`,
  'must be <= #',
  String.raw`\bn_ctx=#`,
  'limit=# prompt=',
  'tokens limit #',
  '# maximum context length',
  'cannot exceed #',
  'less than # tokens',
);
const overflowRequests = patterns(
  '# tokens > ',
  String.raw`context limit: # \+ # > `,
  'given: # `inputs` tokens and # `max_new_tokens`',
  'requested (?:about |a total of )?# tokens',
  'resulted in # tokens',
  'has # input tokens',
  'contains # tokens',
  String.raw`token count \(#\)`,
  'token count of #',
  String.raw`requested: #\)`,
  String.raw`tokens \(#\) exceed`,
  'current length is #',
  'input length #',
  String.raw`\(length #\)`,
  'keep the first # tokens',
  'too long: #',
  '# tokens exceeds',
  String.raw`\bn_prompt_tokens=#`,
  ' prompt=#',
  String.raw`request \(# tokens\)`,
  'received #',
  'input tokens #',
  String.raw`given: #`,
);
const capLimits = patterns(
  'tokens: [\\d,]+ > #',
  'at most # completion',
  'model limit of #',
  'value <= #',
  'less than or equal to `?#',
  String.raw`\[\d+, #\]`,
  'to # ',
);
const capRequests = patterns('tokens: # > ', 'too large: #', 'but got #', 'value of #');
const rateLimits = patterns('limit of # ', 'limit:? #,? requested', 'for your organization of # ');
const rateRequests = patterns('requested:? #');

/** Figures of a fault's kind. For kinds whose figures are no tokens (bytes, characters, pictures) there are none. */
export function statedTokens(kind: ModelFault['kind'], text: string): Stated {
  if (kind === 'overflow') return overflowStated(text);
  if (kind === 'output_cap') return stated(first(capLimits, text), first(capRequests, text));
  return kind === 'rate_limit' ? stated(first(rateLimits, text), first(rateRequests, text)) : {};
}

function overflowStated(text: string): Stated {
  const limit = first(overflowLimits, text);
  return stated(limit !== undefined && limit >= LEAST_LIMIT ? limit : undefined, first(overflowRequests, text));
}

function stated(limit: number | undefined, requested: number | undefined): Stated {
  return { ...(limit === undefined ? {} : { limit }), ...(requested === undefined ? {} : { requested }) };
}

function first(candidates: readonly RegExp[], text: string): number | undefined {
  for (const pattern of candidates) {
    const match = pattern.exec(text);
    if (match !== null) return match.slice(1).reduce((sum, figure) => sum + Number(figure.replaceAll(',', '')), 0);
  }
  return undefined;
}
