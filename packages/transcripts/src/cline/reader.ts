/** Reads API histories of Cline and its forks, and the SDK's session files. */
import { blocksOf, blockText, typeOf } from '../anthropic/media.ts';
import { isResult, userSteps, type Dialect } from '../anthropic/messages.ts';
import { replySteps } from '../anthropic/reply.ts';
import type { Json } from '@palimpsest/contracts';
import type { RecordReader } from '../formats.ts';
import { compactionMark, keptData, keptUser } from '../kept.ts';
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import { isRepeatNotice, tellTexts } from './origins.ts';

const dialect: Dialect = { format: 'cline', tell: tellTexts };

export class ClineReader implements RecordReader {
  read({ at, value }: RecordPiece): readonly Step[] {
    const { role, content } = value;
    if (typeof content !== 'string' && !Array.isArray(content)) return [skip('malformed', 'no content')];
    const blocks = blocksOf(content);
    if (value['isSummary'] === true) return summarySteps(blocks, at);
    if (role === 'user') return userMessage(value, blocks, at);
    if (role === 'assistant') return replySteps(value, at, 'cline');
    return [skip('unknown-role', nameOf(role) ?? 'no role')];
  }
}

function userMessage(message: JsonObject, blocks: readonly Json[], at: number): readonly Step[] {
  const told: Dialect = message['isTruncationMarker'] === true ? { ...dialect, tell: () => ({ origin: 'notice' }) } : dialect;
  const steps = userSteps(blocks, at, told);
  const summary = steps.some((step) => step.do === 'hidden' && step.body.kind === 'message');
  return [...(summary ? [compactionMark('cline', {})] : []), ...steps, ...reductions(blocks)];
}

/** Marked as one by the fork that wrote it, in whatever role. */
function summarySteps(blocks: readonly Json[], at: number): readonly Step[] {
  const text = blocks.flatMap((block) => blockText(block) ?? []).join('\n\n');
  return [compactionMark('cline', {}), keptUser('cline', at, 'handoff', text === '' ? [] : [{ type: 'text', text }])];
}

/** A repeated reading of a file was replaced by a note. */
function reductions(blocks: readonly Json[]): Step[] {
  return blocks
    .filter((block) => textsIn(block).some(isRepeatNotice))
    .map((block) => ({ ...keptData('cline', 'repeated-read', { block: typeOf(block) }), reduction: true }));
}
const textsIn = (block: Json): string[] =>
  isResult(block) ? blocksOf(objectOf(block)?.['content']).flatMap((inner) => blockText(inner) ?? []) : [blockText(block) ?? ''];
