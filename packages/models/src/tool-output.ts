import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { ToolOutput, ToolResultPart, WireName } from '@palimpsest/contracts';
import { toWellFormed, toWellFormedJson } from './well-formed.ts';

/** Sent for a result that has no text: an empty one is refused by some wires and confuses models on the others. */
const NO_OUTPUT = '(no output)';

export function toResult(part: ToolResultPart, wire: WireName): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: toOutput(part.output, wire),
    ...(part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions }),
  };
}

function toOutput(output: ToolOutput, wire: WireName): LanguageModelV4ToolResultOutput {
  if (output.type === 'json' || output.type === 'error-json') return { ...output, value: toWellFormedJson(output.value) };
  if (output.type !== 'content') return { ...output, value: spoken(output.value) };
  const images = output.value.some((item) => item.type === 'image-data');
  return images && wire !== 'openai-chat' ? withImages(output) : { type: 'text', value: spoken(joined(output)) };
}

type Content = Extract<ToolOutput, { readonly type: 'content' }>;

/** Tool messages of Chat Completions hold text alone: an image there is a line that says so. */
function joined(output: Content): string {
  return output.value.map((item) => (item.type === 'text' ? item.text : `[image: ${item.mediaType}]`)).join('\n');
}

function withImages(output: Content): LanguageModelV4ToolResultOutput {
  const items = output.value.filter((item) => item.type !== 'text' || item.text.trim() !== '');
  return {
    type: 'content',
    value: items.map((item) =>
      item.type === 'text'
        ? { type: 'text' as const, text: toWellFormed(item.text) }
        : { type: 'file' as const, data: { type: 'data' as const, data: item.data }, mediaType: item.mediaType },
    ),
  };
}

function spoken(text: string): string {
  return text.trim() === '' ? NO_OUTPUT : toWellFormed(text);
}
