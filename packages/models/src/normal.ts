/** Usage and finish of the provider packages in the words of the contracts, in one place. */
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Finish, Usage } from '@palimpsest/contracts';

/** `input` excludes what was read from or written to a cache, whichever way the provider counts. Zeros where it states nothing. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const cacheRead = count(inputTokens.cacheRead);
  const cacheWrite = count(inputTokens.cacheWrite);
  const reasoning = count(outputTokens.reasoning);
  return {
    input: count(inputTokens.noCache ?? count(inputTokens.total) - cacheRead - cacheWrite),
    output: count(outputTokens.total ?? count(outputTokens.text) + reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

function count(figure: number | undefined): number {
  return figure === undefined || !Number.isFinite(figure) ? 0 : Math.max(0, Math.round(figure));
}

/** Calls decide over what the provider says: some say `stop` beside them, some `tool-calls` without any. */
export function toFinish(unified: LanguageModelV4FinishReason['unified'], calls: number): Finish {
  if (unified === 'length') return 'length';
  if (unified === 'content-filter') return 'refused';
  if (calls > 0) return 'tool-calls';
  return unified === 'stop' || unified === 'tool-calls' ? 'stop' : 'other';
}
