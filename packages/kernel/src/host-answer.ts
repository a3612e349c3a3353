import { assistantMessage, callsOf, errors, messageOf, modelFault, usage } from '@palimpsest/contracts';
import type { Answer, AssistantMessage, ModelFault, Usage } from '@palimpsest/contracts';
import { z } from 'zod';

/** What a host with its own loop hands in for a step. */
export type Recording = { readonly reply: AssistantMessage; readonly usage?: Usage } | { readonly error: unknown };

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const replied = z.object({ reply: assistantMessage, usage: usage.optional() });

/** A host's word is looked at before it is written. @throws LOOP_ANSWER_INVALID. */
export function answerOf(recording: Recording): Answer {
  if (typeof recording === 'object' && recording !== null && 'error' in recording)
    return { kind: 'failed', fault: faultOf(recording.error) };
  const { reply, usage: used = noUsage } = checked(replied, recording);
  assertOwnIds(reply);
  const calls = callsOf(reply);
  return { kind: 'reply', message: reply, calls, usage: used, finish: calls.length > 0 ? 'tool-calls' : 'stop' };
}

/** A result is recorded by its call's id: with two calls of one id, nobody could say whose it is. */
function assertOwnIds({ content }: AssistantMessage): void {
  const ids = content.map((part) => (part.type === 'tool-call' ? part.toolCallId : null));
  const at = ids.findIndex((id, index) => id !== null && ids.indexOf(id) < index);
  if (at >= 0) throw errors.loopAnswerInvalid(`reply.content[${String(at)}].toolCallId: "${String(ids[at])}" is the id of an earlier call`);
}

/** A fault that the host has classified, or anything it caught. */
function faultOf(error: unknown): ModelFault {
  const thrown = typeof error !== 'object' || error === null || error instanceof Error || !('kind' in error && 'message' in error);
  return thrown ? { kind: 'unknown', message: messageOf(error) } : checked(modelFault, error);
}

function checked<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw errors.loopAnswerInvalid(issue === undefined ? 'invalid' : `${z.core.toDotPath(issue.path)}: ${issue.message}`);
}
