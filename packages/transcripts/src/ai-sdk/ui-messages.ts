/** UI messages of v5 on: one assistant message holds a whole turn, a tool's call and result are one part. */
import type { Json, ToolOutput } from '@palimpsest/contracts';
import { listOf, nameOf, objectOf, textOf, parseText, type JsonObject } from '../json/values.ts';
import { note, skip, type Step } from '../steps.ts';
import { bareOutput, deniedText } from './media.ts';
import { callPart, takeInvocation, takePart, userSteps } from './model-messages.ts';
import { Turn } from './turn.ts';

export const partsOf = (message: JsonObject): JsonObject[] => (listOf(message['parts']) ?? []).map((part) => objectOf(part) ?? {});
export const isTool = (part: JsonObject): boolean =>
  part['type'] === 'dynamic-tool' || /^tool-(?!invocation$|call$|result$|approval-)/u.test(nameOf(part['type']) ?? '');

export const uiUserSteps = (message: JsonObject): readonly Step[] => userSteps(partsOf(message));

/** Each step is an assistant message of ours, its results behind it. */
export function uiAssistantSteps(message: JsonObject, at: number): readonly Step[] {
  const turns: Turn[] = [new Turn()];
  for (const [index, part] of partsOf(message).entries()) {
    const turn = turns.at(-1) ?? new Turn();
    if (part['type'] === 'step-start') turns.push(new Turn());
    else if (isTool(part)) takeTool(turn, part, `call-${String(at)}-${String(index)}`);
    else if (part['type'] === 'tool-invocation')
      takeInvocation(turn, objectOf(part['toolInvocation']) ?? {}, `call-${String(at)}-${String(index)}`);
    else takePart(turn, part, `call-${String(at)}-${String(index)}`);
  }
  const steps = turns.flatMap((turn) => turn.steps('ai-sdk', false));
  return steps.length === 0 ? new Turn().steps('ai-sdk', true) : steps;
}

function takeTool(turn: Turn, part: JsonObject, fallbackId: string): void {
  const toolName = nameOf(part['toolName']) ?? (nameOf(part['type']) ?? '').replace(/^tool-/u, '');
  const call = callPart({ ...part, toolName, input: inputOf(part) }, fallbackId);
  if (part['state'] === 'input-streaming') {
    turn.before.push(skip('incomplete-call', call.toolCallId));
    return;
  }
  const output = outputIn(part);
  turn.call(call, part['providerExecuted'] === true && output !== null);
  if (part['preliminary'] === true) turn.before.push(note('preliminary'));
  if (output !== null) turn.answer(call.toolCallId, output, 0);
}

/** A faulty call may have no input that parsed, only the raw one. */
function inputOf(part: JsonObject): Json {
  const { input, rawInput } = part;
  if (input !== undefined && input !== null) return input;
  return typeof rawInput === 'string' ? (parseText(rawInput) ?? rawInput) : (rawInput ?? {});
}

/** Null: the call was left open. */
function outputIn(part: JsonObject): ToolOutput | null {
  const approval = objectOf(part['approval']);
  switch (part['state']) {
    case 'output-available':
      return bareOutput(part['output'], false);
    case 'output-error':
      return { type: 'error-text', value: textOf(part['errorText']) ?? '' };
    case 'output-denied':
      return { type: 'error-text', value: deniedText(approval?.['reason']) };
    case 'approval-responded':
      return approval?.['approved'] === false ? { type: 'error-text', value: deniedText(approval['reason']) } : null;
    default:
      return null;
  }
}
