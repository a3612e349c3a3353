/** What each record of the family is read as. */
import type { Body, Json, MessageBody } from '@palimpsest/contracts';
import type { EntryId } from '@palimpsest/contracts';
import { countOf, nameOf, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import { messageSteps, noticeSteps } from './messages.ts';

/** `tree`: branch summaries are shown, as the model saw them. */
export type RecordRule = (record: RecordPiece, tree: boolean) => readonly Step[];

export const source = (at: number): { source: { format: string; line: number } } => ({ source: { format: 'pi', line: at } });
const hidden = (body: Body): Step => ({ do: 'hidden', body });

/** Session state of the client: kept, never shown. */
const kept: RecordRule = ({ value }) => [
  hidden({
    kind: 'custom',
    by: 'pi',
    key: nameOf(value['customType']) ?? nameOf(value['type']) ?? 'custom',
    data: withoutLinks(value),
    shown: null,
  }),
];

function withoutLinks(value: JsonObject): Json {
  const { type: _type, parentId: _parent, ...rest } = value;
  return rest;
}

const header: RecordRule = ({ value }) => {
  const id = nameOf(value['id']),
    title = nameOf(value['title']),
    system = nameOf(value['systemPrompt']);
  return [
    {
      do: 'facts',
      ...(id === null ? {} : { id }),
      ...(title === null ? {} : { title: { text: title, rank: 1 } }),
      ...(system === null ? {} : { system }),
    },
  ];
};

const sessionInfo: RecordRule = ({ value }) => {
  const title = nameOf(value['name']) ?? nameOf(value['title']);
  return [{ do: 'facts', ...(title === null ? {} : { title: { text: title, rank: 1 } }) }];
};

const modelChange: RecordRule = ({ value }) => {
  const id = nameOf(value['modelId']) ?? nameOf(value['model']) ?? 'unknown';
  const provider = nameOf(value['provider']);
  return [hidden({ kind: 'model-change', model: provider === null ? id : `${provider}/${id}`, role: 'permanent', reason: 'imported' })];
};

/** The summary and the mark; `retainedTail` copies messages that stand in the file already and is left out. */
const compaction: RecordRule = ({ at, value }) => {
  const { type: _type, summary, retainedTail: _tail, ...details } = value;
  const text = textOf(summary) ?? '';
  const handoff: MessageBody = {
    kind: 'message',
    origin: 'handoff',
    message: { role: 'user', content: [{ type: 'text', text }] },
    hidden: true,
    ...source(at),
  };
  return [
    hidden({
      kind: 'compaction',
      by: 'pi',
      trigger: 'threshold',
      segments: [],
      tokensBefore: countOf(value['tokensBefore']),
      tokensAfter: 0,
      details,
      hidden: true,
    }),
    hidden(handoff),
  ];
};

const branchSummary: RecordRule = ({ value }, tree) => {
  const left = (nameOf(value['fromId']) ?? nameOf(value['parentId']) ?? 'root') as EntryId;
  return [hidden({ kind: 'branch-summary', left, summary: textOf(value['summary']) ?? '', ...(tree ? {} : { hidden: true as const }) })];
};

const label: RecordRule = (record, tree) => {
  const target = nameOf(record.value['targetId']);
  return target === null
    ? kept(record, tree)
    : [hidden({ kind: 'label', target: target as EntryId, label: nameOf(record.value['label']) })];
};

export const recordTable: ReadonlyMap<string, RecordRule> = new Map<string, RecordRule>([
  ['session', header],
  ['message', messageSteps],
  ['custom_message', noticeSteps],
  ['compaction', compaction],
  ['branch_summary', branchSummary],
  ['custom', kept],
  ['label', label],
  ['model_change', modelChange],
  ['thinking_level_change', kept],
  ['session_info', sessionInfo],
  ['event', () => [skip('ui-only')]],
  ...[
    'service_tier_change',
    'mode_change',
    'ttsr_injection',
    'session_init',
    'mcp_tool_selection',
    'discovered_builtin_tool_selection',
    'reset_boundary',
    'header_patch',
    'entry_patch',
  ].map((type): [string, RecordRule] => [type, kept]),
]);
