/** What each record type is read as. */
import type { Json, MessageBody } from '@palimpsest/contracts';
import { countOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import type { SkipReason } from '../transcript.ts';
import { attachmentSteps } from './attachments.ts';
import { assistantSteps, userSteps } from './messages.ts';

export type RecordRule = (record: RecordPiece) => readonly Step[];

const skipped =
  (reason: SkipReason): RecordRule =>
  () => [skip(reason)];
const meta: RecordRule = () => [];
const titled =
  (key: string, rank: number): RecordRule =>
  ({ value }) => {
    const text = nameOf(value[key]);
    return text === null ? [] : [{ do: 'facts', title: { text, rank } }];
  };

const compactBoundary: RecordRule = ({ value }) => {
  const details = objectOf(value['compactMetadata']) ?? {};
  const trigger = details['trigger'] === 'manual' ? 'manual' : 'threshold';
  return [
    {
      do: 'hidden',
      body: {
        kind: 'compaction',
        by: 'claude-code',
        trigger,
        segments: [],
        tokensBefore: countOf(details['preTokens']),
        tokensAfter: 0,
        details,
        hidden: true,
      },
    },
  ];
};

/** Results were emptied in the view then; their records stay whole, so this is a note. */
const microcompactBoundary: RecordRule = ({ value }) => {
  const data: Json = objectOf(value['microcompactMetadata']) ?? {};
  return [{ do: 'hidden', body: { kind: 'custom', by: 'claude-code', key: 'microcompact', data, shown: null }, reduction: true }];
};

const systemTable: ReadonlyMap<string, RecordRule> = new Map([
  ['compact_boundary', compactBoundary],
  ['microcompact_boundary', microcompactBoundary],
]);
const system: RecordRule = (record) => systemTable.get(nameOf(record.value['subtype']) ?? '')?.(record) ?? [skip('ui-only')];

/** `queue-operation` is read by the reader itself: it needs to know the whole queue. */
export const recordTable: ReadonlyMap<string, RecordRule> = new Map<string, RecordRule>([
  ['user', userSteps],
  ['assistant', assistantSteps],
  ['system', system],
  ['attachment', attachmentSteps],
  ['progress', skipped('progress')],
  ['file-history-snapshot', skipped('undo-data')],
  ['file-history-delta', skipped('undo-data')],
  ['queue-operation', skipped('queue-bookkeeping')],
  ['summary', meta],
  ['ai-title', titled('aiTitle', 2)],
  ['custom-title', titled('customTitle', 3)],
  ...['pr-link', 'tag', 'agent-name', 'mode', 'permission-mode', 'last-prompt', 'worktree-state', 'agent-color', 'agent-setting'].map(
    (type): [string, RecordRule] => [type, meta],
  ),
]);

/** A reply that the client made up (a filler, an API error): kept, no reply of a model. */
export function madeUp(value: JsonObject, at: number): readonly Step[] | null {
  const message = objectOf(value['message']);
  if (value['type'] !== 'assistant' || message === null) return null;
  if (message['model'] !== '<synthetic>' && value['isApiErrorMessage'] !== true) return null;
  const blocks = Array.isArray(message['content']) ? message['content'] : [{ type: 'text', text: message['content'] ?? '' }];
  const content = blocks.flatMap((block) => {
    const text = textOf(objectOf(block)?.['text']);
    return text === null ? [] : [{ type: 'text' as const, text }];
  });
  const body: MessageBody = {
    kind: 'message',
    origin: 'model',
    message: { role: 'assistant', content },
    hidden: true,
    source: { format: 'claude-code', line: at },
  };
  return [{ do: 'hidden', body }];
}
