/** User messages: results first, then a message of their own for what stands beside them. */
import type { Told } from '../claude-code/origins.ts';
import type { Json } from '@palimpsest/contracts';
import { keptUser } from '../kept.ts';
import { objectOf, textOf, type JsonObject } from '../json/values.ts';
import { skip, type Step } from '../steps.ts';
import type { FormatName } from '../transcript.ts';
import { blockText, toolOutput, typeOf, userContent } from './media.ts';
import { isServerResult, serverOutput } from './server-tools.ts';

export interface Dialect {
  readonly format: FormatName;
  /** Null: no text to tell by. */
  readonly tell: (texts: readonly string[]) => Told | null;
}

export const isResult = (block: Json): boolean => typeOf(block) === 'tool_result' || isServerResult(block);

export function userSteps(blocks: readonly Json[], at: number, dialect: Dialect): readonly Step[] {
  const results = blocks.filter(isResult).flatMap((block) => resultSteps(objectOf(block) ?? {}));
  const others = blocks.filter((block) => !isResult(block));
  const { content, images, notes } = userContent(others);
  if (content.length === 0) return results.length > 0 ? results : [skip('empty-user')];
  const { origin, by } = dialect.tell(others.flatMap((block) => blockText(block) ?? [])) ?? { origin: 'user_input' };
  if (origin === 'handoff') return [...results, ...notes, keptUser(dialect.format, at, 'handoff', content)];
  const kind = by ?? (results.length > 0 ? 'with-result' : content.every((part) => part.type === 'image') ? 'image' : 'typed');
  return [...results, ...notes, { do: 'user', origin, content, images, by: kind }];
}

function resultSteps(block: JsonObject): Step[] {
  const callId = textOf(block['tool_use_id']) ?? '';
  if (isServerResult(block)) return [{ do: 'result', callId, output: serverOutput(block), images: 0 }];
  const { output, images, notes } = toolOutput(block['content'], block['is_error'] === true);
  return [...notes, { do: 'result', callId, output, images }];
}
