import type { LanguageModelV4 } from '@ai-sdk/provider';
import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type { ModelRequest, Wire, WireName } from '@palimpsest/contracts';
import { parseRoute } from './route.ts';
import { toPrompt } from './to-prompt.ts';

/** Stands for the model where a route names none: one that the wire is written for in its plain form, without reasoning settings. */
const plainModel: Readonly<Record<WireName, string>> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  anthropic: 'claude-haiku-4-5',
};
const NOWHERE = 'http://localhost';

type MakeModel = (model: string) => LanguageModelV4;

/** Thrown by the fetch that a provider package is given: nothing is sent, and the body comes back with the error. */
class BodyWritten extends Error {
  readonly body: string;
  constructor(body: string) {
    super('The body is written; nothing is sent.');
    this.body = body;
  }
}

const record: typeof fetch = (_url, init) => Promise.reject(new BodyWritten(typeof init?.body === 'string' ? init.body : ''));

/** Loads the provider package of a wire and writes bodies with it, without a network. */
export async function openWire(name: WireName): Promise<Wire> {
  const make = await packages[name]();
  return new RecordedWire(name, make);
}

const packages: Readonly<Record<WireName, () => Promise<MakeModel>>> = {
  'openai-chat': async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ baseURL: NOWHERE, apiKey: 'none', fetch: record });
    return (model) => provider.chat(model);
  },
  'openai-responses': async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ baseURL: NOWHERE, apiKey: 'none', fetch: record });
    return (model) => provider.responses(model);
  },
  anthropic: async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const provider = createAnthropic({ baseURL: NOWHERE, apiKey: 'none', fetch: record });
    return (model) => provider(model);
  },
};

/** What the provider package hands to its `fetch`. Holds one model per id; calls share nothing else. */
class RecordedWire implements Wire {
  readonly name: WireName;
  readonly #make: MakeModel;
  readonly #models = new Map<string, LanguageModelV4>();

  constructor(name: WireName, make: MakeModel) {
    this.name = name;
    this.#make = make;
  }

  async body(request: ModelRequest): Promise<string> {
    try {
      await this.#model(parseRoute(request.route).model || plainModel[this.name]).doGenerate(toPrompt(request, this.name));
    } catch (thrown) {
      if (thrown instanceof BodyWritten) return thrown.body;
      throw isPalimpsestError(thrown) ? thrown : errors.modelRequestInvalid(request.route, thrown);
    }
    throw errors.modelRequestInvalid(request.route, new Error('it answered without sending a request'));
  }

  #model(id: string): LanguageModelV4 {
    const known = this.#models.get(id);
    if (known !== undefined) return known;
    const made = this.#make(id);
    this.#models.set(id, made);
    return made;
  }
}
