/**
 * Message parts: the form a model exchanges. Field names are those of the AI SDK's `ModelMessage`, so that every part but
 * `opaque` is structurally assignable to it (a type test in `models` holds this). For the same reason message content is
 * the one place in contracts that is not `readonly`; nobody may write to it all the same: entries that a store returns belong to all readers.
 */
import { z } from 'zod';
import { DEEPEST, isTooDeep } from './nesting.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Nested at most {@link DEEPEST} levels. */
export const json: z.ZodType<Json> = z
  .unknown()
  .refine((value) => !isTooDeep(value), `nested deeper than ${String(DEEPEST)} levels`)
  .pipe(z.json());

/** Per-provider extras, passed through to the provider package. Keyed by provider name. */
export const providerOptions = z.record(z.string(), z.record(z.string(), json));
export type ProviderOptions = z.infer<typeof providerOptions>;

const tagged = { providerOptions: providerOptions.exactOptional() };

export const textPart = z.object({ type: z.literal('text'), text: z.string(), ...tagged });
/** `image` is base64 or a URL; it is never fetched by the runtime. */
export const imagePart = z.object({ type: z.literal('image'), image: z.string(), mediaType: z.string().exactOptional(), ...tagged });
/** `data` is base64 or a URL. */
export const filePart = z.object({
  type: z.literal('file'),
  data: z.string(),
  mediaType: z.string(),
  filename: z.string().exactOptional(),
  ...tagged,
});
/** Reasoning a human may read. Signed or encrypted reasoning is an {@link OpaquePart} beside it. */
export const reasoningPart = z.object({ type: z.literal('reasoning'), text: z.string(), ...tagged });
/** `input` is the parsed arguments; arguments that are no JSON are kept as a string and rendered as `{"_raw": …}`. */
export const toolCallPart = z.object({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: json,
  providerExecuted: z.boolean().exactOptional(),
  ...tagged,
});
export const toolOutput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('json'), value: json }),
  z.object({ type: z.literal('error-text'), value: z.string() }),
  z.object({ type: z.literal('error-json'), value: json }),
  z.object({
    type: z.literal('content'),
    value: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('image-data'), data: z.string(), mediaType: z.string() }),
      ]),
    ),
  }),
]);
export const toolResultPart = z.object({
  type: z.literal('tool-result'),
  toolCallId: z.string(),
  toolName: z.string(),
  output: toolOutput,
  ...tagged,
});
/** Exact bytes of a provider item (signed thinking, encrypted reasoning, native compaction): replayed whole on the same route, or left out. */
export const opaquePart = z.object({ type: z.literal('opaque'), provider: z.string(), format: z.string(), bytes: z.string() });

export const userMessage = z.object({
  role: z.literal('user'),
  content: z.array(z.discriminatedUnion('type', [textPart, imagePart, filePart])),
});
export const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [textPart, filePart, reasoningPart, toolCallPart, toolResultPart, opaquePart])),
});
export const toolMessage = z.object({ role: z.literal('tool'), content: z.array(toolResultPart) });
export const message = z.discriminatedUnion('role', [userMessage, assistantMessage, toolMessage]);

export type TextPart = z.infer<typeof textPart>;
export type ImagePart = z.infer<typeof imagePart>;
export type FilePart = z.infer<typeof filePart>;
export type ReasoningPart = z.infer<typeof reasoningPart>;
export type ToolCallPart = z.infer<typeof toolCallPart>;
export type ToolOutput = z.infer<typeof toolOutput>;
export type ToolResultPart = z.infer<typeof toolResultPart>;
export type OpaquePart = z.infer<typeof opaquePart>;
export type UserMessage = z.infer<typeof userMessage>;
export type AssistantMessage = z.infer<typeof assistantMessage>;
export type ToolMessage = z.infer<typeof toolMessage>;
export type Message = z.infer<typeof message>;
export type UserPart = UserMessage['content'][number];
export type AssistantPart = AssistantMessage['content'][number];
