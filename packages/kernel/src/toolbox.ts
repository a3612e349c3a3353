import { errors, HOOKS, HOST_TOOLS, messageOf, TOKEN_COUNTER, toolOutput } from '@palimpsest/contracts';
import type {
  Call,
  Draft,
  EngineTool,
  GuardToolHook,
  Hooks,
  HostTool,
  Json,
  OpenTurn,
  TokenCounter,
  ToolOutput,
  Toolbox,
  ToolSchema,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { DRAFTS, type DraftWriter } from './drafts.ts';
import { answerWithin } from './tool-answer.ts';
import { KERNEL_ENGINE, type EngineGuard } from './engine/guard.ts';

const ENGINE_TOOL_MAX_TOKENS = 4_000;

/** Runs what a reply asked for: guard, run, shape. Always one result a call; nothing here rejects. */
export class GuardedToolbox implements Toolbox {
  readonly schemas: readonly ToolSchema[];

  constructor(
    @inject(HOST_TOOLS) private readonly tools: readonly HostTool[],
    @inject(KERNEL_ENGINE) private readonly engine: EngineGuard,
    @inject(DRAFTS) private readonly drafts: DraftWriter,
    @inject(HOOKS) private readonly hooks: Hooks,
    @inject(TOKEN_COUNTER) private readonly counter: TokenCounter,
  ) {
    const offered = [...tools, ...(engine.engine.tools ?? [])];
    this.schemas = offered.map(({ name, description, inputSchema }) => ({ name: legalName(name), description, inputSchema }));
    const twice = this.schemas.find(({ name }, at) => this.schemas.findIndex((other) => other.name === name) !== at);
    if (twice !== undefined) throw errors.toolNameTaken(twice.name);
  }

  async run(turn: OpenTurn, signal: AbortSignal): Promise<readonly Draft[]> {
    const outputs = await Promise.all(turn.calls.map((call) => this.outputOf(call, signal)));
    const drafts: Draft[] = [];
    for (const [index, call] of turn.calls.entries())
      drafts.push(await this.drafts.result(call, outputs[index] ?? failed('no result'), turn.id));
    return drafts;
  }

  shape(turn: OpenTurn, call: Call, result: unknown): Promise<Draft> {
    return this.drafts.result(call, outputFrom(result), turn.id);
  }

  async call(name: string, input: Json, signal: AbortSignal): Promise<unknown> {
    const offered = this.engine.engine.tools ?? [];
    const own = named(offered, name);
    if (own === undefined)
      throw errors.toolUnknown(
        name,
        offered.map((tool) => legalName(tool.name)),
        named(this.tools, name) !== undefined,
      );
    return this.answer(own, input, signal);
  }

  /** An abort does not wait for a tool that ignores its signal: what it still does is unknown. */
  private async outputOf(call: Call, signal: AbortSignal): Promise<ToolOutput> {
    if (signal.aborted) return failed('aborted before it ran');
    const denied = await guard(this.hooks.guardTool, call, signal);
    if (signal.aborted) return failed('aborted before it ran');
    if (denied !== null) return failed(denied);
    try {
      return outputFrom(await unlessAborted(this.ran(call, signal), signal));
    } catch (error) {
      return failed(signal.aborted ? `aborted, outcome unknown: ${messageOf(error)}` : messageOf(error));
    }
  }

  private async ran(call: Call, signal: AbortSignal): Promise<unknown> {
    const hosted = named(this.tools, call.name);
    return hosted === undefined ? this.call(call.name, call.input, signal) : hosted.run(call.input, { signal, callId: call.id });
  }

  /** Engines are asked for an answer of so many tokens, and held to it. */
  private async answer(tool: EngineTool, input: Json, signal: AbortSignal): Promise<string> {
    const answer = await this.engine.callTool(tool, input, { maxTokens: ENGINE_TOOL_MAX_TOKENS, signal });
    return answerWithin(answer, ENGINE_TOOL_MAX_TOKENS, (text) => this.counter.countNow(text));
  }
}

function named<T extends { readonly name: string }>(tools: readonly T[], name: string): T | undefined {
  return tools.find((tool) => legalName(tool.name) === legalName(name));
}

/** What a model is told a tool is called: letters, digits, `_`, `-`, at most 64. A tool is found by it again. */
export function legalName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, 64);
}

/** Why a call may not run; null: it may. A hook that throws, is late or answers nonsense denies; `ask` needs somebody to answer, and nobody is asked yet. */
async function guard(hooks: readonly GuardToolHook[], call: Call, signal: AbortSignal): Promise<string | null> {
  for (const hook of hooks) {
    const answer = await answered(hook, call, signal);
    if (answer === 'allow') return null;
    if (answer === 'ask') return `denied: ${hook.name} wants approval and nobody can give it here`;
    if (answer !== null) return `denied: ${answer.deny}`;
  }
  return null;
}

async function answered(hook: GuardToolHook, call: Call, signal: AbortSignal): ReturnType<GuardToolHook['run']> {
  try {
    const answer: unknown = (await hook.run(call, signal)) ?? null;
    if (answer === null || answer === 'allow' || answer === 'ask') return answer;
    return {
      deny: typeof answer === 'object' && 'deny' in answer ? String(answer.deny) : `${hook.name} answered neither allow, ask nor deny`,
    };
  } catch (error) {
    return { deny: `${hook.name} failed: ${messageOf(error)}` };
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new Error('the turn was aborted'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

function failed(text: string): ToolOutput {
  return { type: 'error-text', value: text };
}

/** A result as a message carries it: a ready output as it is, text as text, an Error as an error, anything else as JSON. */
export function outputFrom(result: unknown): ToolOutput {
  if (typeof result === 'string') return { type: 'text', value: result };
  if (result instanceof Error) return failed(result.message);
  const ready = toolOutput.safeParse(result);
  if (ready.success) return ready.data;
  try {
    return { type: 'text', value: result === undefined ? '' : (JSON.stringify(result) ?? String(result)) };
  } catch (error) {
    return failed(`the result cannot be written as JSON: ${messageOf(error)}`);
  }
}
