/** What the three questions ask for. */
export interface Answers {
  readonly provider: 'anthropic' | 'openai' | 'openai-responses' | 'openai-compatible';
  readonly model: string;
  readonly windowTokens: number;
}
interface Offer extends Answers {
  readonly about: string;
}

/** The first one is the default. */
export const OFFERS: readonly [Offer, ...Offer[]] = [
  { provider: 'anthropic', about: 'Messages API', model: 'claude-sonnet-4-5', windowTokens: 200_000 },
  { provider: 'openai', about: 'Chat Completions API', model: 'gpt-4.1', windowTokens: 1_000_000 },
  { provider: 'openai-responses', about: 'Responses API', model: 'gpt-5', windowTokens: 400_000 },
  { provider: 'openai-compatible', about: 'a server of your own', model: 'my-model', windowTokens: 32_768 },
];

export function defaults({ provider, model, windowTokens }: Answers): Answers {
  return { provider, model, windowTokens };
}

/** Where a server of one's own usually listens. */
export const LOCAL_ADDRESS = 'http://localhost:8080/v1';
