/** Tools that the provider runs itself: call and result stand in one assistant message. */
import type { AssistantPart, Json, ToolOutput } from '@palimpsest/contracts';
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { toolOutput, typeOf } from './media.ts';

export const isServerCall = (block: Json): boolean => ['server_tool_use', 'mcp_tool_use'].includes(typeOf(block));
export const isServerResult = (block: Json): boolean =>
  typeOf(block) !== 'tool_result' && typeOf(block).endsWith('tool_result') && nameOf(objectOf(block)?.['tool_use_id']) !== null;

/** What can be read of a result; blobs that only the provider can open are left out. */
export function serverOutput(block: JsonObject): ToolOutput {
  const { content } = block;
  if (block['type'] === 'mcp_tool_result') return toolOutput(content, block['is_error'] === true).output;
  const failed = typeOf(content).endsWith('_error');
  return { type: failed ? 'error-json' : 'json', value: readable(content ?? null) };
}

const isSealed = (key: string): boolean => key.startsWith('encrypted_');
function readable(value: Json): Json {
  if (Array.isArray(value)) return value.map(readable);
  const object = objectOf(value);
  if (object === null) return value;
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => !isSealed(key))
      .map(([key, inner]) => [key, readable(inner)]),
  );
}

/** The block holds something that is worth nothing but to its provider. */
export function holdsSealed(value: Json): boolean {
  const object = objectOf(value);
  if (object === null) return (listOf(value) ?? []).some(holdsSealed);
  return Object.entries(object).some(([key, inner]) => (isSealed(key) && nameOf(inner) !== null) || holdsSealed(inner));
}

/** Calls of one message that wait for their results in the same message. */
export class ServerCalls {
  readonly #waiting = new Map<string, number>();

  /** `at`: where the call's part stands in `parts`. */
  asked(id: string, at: number): void {
    this.#waiting.set(id, at);
  }

  /** False: the call stands in no part of this message. */
  answer(parts: AssistantPart[], id: string, output: ToolOutput): boolean {
    const at = this.#waiting.get(id);
    const call = at === undefined ? undefined : parts[at];
    if (at === undefined || call?.type !== 'tool-call') return false;
    this.#waiting.delete(id);
    parts[at] = { ...call, providerExecuted: true };
    parts.push({ type: 'tool-result', toolCallId: id, toolName: call.toolName, output });
    return true;
  }
}
