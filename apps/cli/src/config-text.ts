/** What a new palimpsest.yaml says. Pure. */
export interface Answers {
  readonly provider: 'anthropic' | 'openai' | 'openai-responses' | 'openai-compatible';
  readonly model: string;
  readonly windowTokens: number;
}
interface Offer extends Answers {
  readonly about: string;
  readonly variable: string | null;
}

/** The first one is the default. */
export const OFFERS: readonly [Offer, ...Offer[]] = [
  { provider: 'anthropic', about: 'Messages API', model: 'claude-sonnet-4-5', windowTokens: 200_000, variable: 'ANTHROPIC_API_KEY' },
  { provider: 'openai', about: 'Chat Completions API', model: 'gpt-4.1', windowTokens: 1_000_000, variable: 'OPENAI_API_KEY' },
  { provider: 'openai-responses', about: 'Responses API', model: 'gpt-5', windowTokens: 400_000, variable: 'OPENAI_API_KEY' },
  { provider: 'openai-compatible', about: 'a server of your own', model: 'my-model', windowTokens: 32_768, variable: null },
];

export function defaults({ provider, model, windowTokens }: Answers): Answers {
  return { provider, model, windowTokens };
}

/** Every line that is no comment is checked by `config check`; what is commented out says the default. */
export function configText({ provider, model, windowTokens }: Answers, schema: string): string {
  const variable = OFFERS.find((offer) => offer.provider === provider)?.variable ?? null;
  const key = variable === null ? '    # api_key: "${env:MY_KEY}"        # when the server asks for one' : `    # The key is read from ${variable}; another place:\n    # api_key: "\${env:MY_KEY}"`;
  return `# yaml-language-server: $schema=${schema}
# Every key has a default. \`palimpsest config explain\` prints each value and where it comes from.

models:
  main:
    provider: ${provider}
    model: ${JSON.stringify(model)}
    window_tokens: ${String(windowTokens)}
${key}
${provider === 'openai-compatible' ? '    base_url: "http://localhost:8080/v1"\n' : ''}    # max_output_tokens: 8192         # sent with every call, and kept free in the window

agent:
  model: main
  # max_steps: 50                     # model calls in one turn

context:
  engine: compressor                  # or a plugin in plugins/context_engine/<name>
  # on_engine_failure: fallback       # or fail

compression:
  threshold: 0.5                      # share of the window at which room is made
  # enabled: true

# prompt:
#   system: ""                        # your own system text

# store:
#   path: ./palimpsest.db             # default: palimpsest.db in your home's .palimpsest
#   durability: full                  # or normal
`;
}
