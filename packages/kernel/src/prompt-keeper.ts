import { RENDERER, SYSTEM_TEXT, TOKEN_COUNTER, TOOLBOX, sessionToken } from '@palimpsest/contracts';
import type {
  Artifact,
  ArtifactId,
  Artifacts,
  Draft,
  EntryId,
  PromptBody,
  Renderer,
  TokenCounter,
  Toolbox,
  ToolSchema,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import type { DraftWriter } from './drafts.ts';
import { artifactIdOf } from './hash.ts';
import type { LeasedJournal } from './journal.ts';
import { ownCopy } from './own-copy.ts';

/** The request's own envelope: model name, brackets, the opening line. */
export const ENVELOPE_TOKENS = 48;

export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly body: PromptBody;
  readonly artifacts: readonly Artifact[];
}

/** Knows the system text and tool schemas of now, what they cost, and whether the path's newest `prompt` entry says the same. */
export class PromptKeeper {
  private current: Prompt | null = null;

  constructor(
    @inject(SYSTEM_TEXT) private readonly system: string,
    @inject(TOOLBOX) private readonly toolbox: Toolbox,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(TOKEN_COUNTER) private readonly counter: TokenCounter,
  ) {}

  async prompt(): Promise<Prompt> {
    this.current ??= await this.made();
    return this.current;
  }

  /** Fixed tokens as far as known now; the figures are exact after the first `prompt()`. */
  get fixed(): { readonly system: number; readonly tools: number } {
    return { system: this.current?.body.systemTokens ?? 0, tools: this.current?.body.toolsTokens ?? 0 };
  }

  async draftsFor(
    journal: LeasedJournal,
    drafts: DraftWriter,
    turn: EntryId | null,
  ): Promise<{ readonly drafts: readonly Draft[]; readonly artifacts: readonly Artifact[] }> {
    const { body, artifacts } = await this.prompt();
    const inForce = journal.marks.prompt;
    if (inForce?.system === body.system && inForce.tools === body.tools) return { drafts: [], artifacts: [] };
    return { drafts: [drafts.plain(body, turn)], artifacts };
  }

  /** What a system text and tool schemas cost. */
  async count(system: string, tools: readonly ToolSchema[]): Promise<{ readonly systemTokens: number; readonly toolsTokens: number }> {
    const form = this.renderer.countablePrompt(system, tools);
    const [systemTokens, toolsTokens] = await Promise.all([this.counter.count(form.system), this.counter.count(form.tools)]);
    return { systemTokens, toolsTokens };
  }

  private async made(): Promise<Prompt> {
    const tools = ownCopy(this.toolbox.schemas);
    const { systemTokens, toolsTokens } = await this.count(this.system, tools);
    const made = [
      artifact('system_prompt', this.system, systemTokens),
      artifact('tool_schemas', JSON.stringify(tools), toolsTokens),
    ] as const;
    const body: PromptBody = { kind: 'prompt', system: made[0].id, tools: made[1].id, systemTokens, toolsTokens };
    return { system: this.system, tools, body, artifacts: made };
  }
}

function artifact(kind: string, body: string, tokens: number): Artifact {
  return { id: artifactIdOf(kind, body), kind, session: null, body, source: null, madeBy: 'host', tokens };
}

/** The prompt that was in force at an old step. */
export async function recordedPrompt(
  artifacts: Artifacts,
  body: PromptBody,
): Promise<{ readonly system: string; readonly tools: readonly ToolSchema[] }> {
  const text = async (id: ArtifactId): Promise<string> => (await artifacts.get(id))?.body ?? '';
  const [system, tools] = await Promise.all([text(body.system), text(body.tools)]);
  return { system, tools: tools === '' ? [] : (JSON.parse(tools) as ToolSchema[]) };
}

export const PROMPT_KEEPER = sessionToken<PromptKeeper>('kernel.prompt-keeper');
