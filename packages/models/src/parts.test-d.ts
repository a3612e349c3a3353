/** Our messages are the AI SDK's, but for opaque parts. Checked by the compiler: `parts.process.test.ts` runs it over this file. */
import type { ModelMessage } from '@ai-sdk/provider-utils';
import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  ImagePart,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolOutput,
  ToolResultPart,
  UserMessage,
} from '@palimpsest/contracts';

type Theirs<Role extends ModelMessage['role']> = Extract<ModelMessage, { role: Role }>;
type Parts<Role extends ModelMessage['role']> = Exclude<Theirs<Role>['content'], string>[number];
type Plain = { role: 'assistant'; content: Exclude<AssistantPart, OpaquePart>[] };

declare function user(message: Theirs<'user'>): void;
declare function assistant(message: Theirs<'assistant'>): void;
declare function tool(message: Theirs<'tool'>): void;
declare function any(message: ModelMessage): void;
declare function inUser(part: Parts<'user'>): void;
declare function inAssistant(part: Parts<'assistant'>): void;
declare function inTool(part: Parts<'tool'>): void;
declare function output(value: Extract<Parts<'tool'>, { type: 'tool-result' }>['output']): void;

export function messages(ours: {
  user: UserMessage;
  plain: Plain;
  tool: ToolMessage;
  assistant: AssistantMessage;
  message: Message;
}): void {
  user(ours.user);
  assistant(ours.plain);
  tool(ours.tool);
  any(ours.user);
  any(ours.plain);
  any(ours.tool);
  // @ts-expect-error an assistant message may hold opaque parts
  assistant(ours.assistant);
  // @ts-expect-error so may any message
  any(ours.message);
}

export function parts(ours: {
  text: TextPart;
  image: ImagePart;
  file: FilePart;
  reasoning: ReasoningPart;
  call: ToolCallPart;
  result: ToolResultPart;
  output: ToolOutput;
  opaque: OpaquePart;
}): void {
  inUser(ours.text);
  inUser(ours.image);
  inUser(ours.file);
  inAssistant(ours.text);
  inAssistant(ours.file);
  inAssistant(ours.reasoning);
  inAssistant(ours.call);
  inAssistant(ours.result);
  inTool(ours.result);
  output(ours.output);
  // @ts-expect-error ours alone
  inAssistant(ours.opaque);
}
