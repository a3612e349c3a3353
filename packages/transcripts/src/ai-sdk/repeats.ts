/** Messages of one id, and calls that were refused without a result. */
import type { Scout } from '../formats.ts';
import { nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { blocksOf } from './model-messages.ts';
import type { ArrayFacts } from './facts.ts';
import { AiSdkReader } from './reader.ts';
import { isTool, partsOf } from './ui-messages.ts';

interface Seen {
  readonly at: number;
  readonly role: string;
  readonly parts: readonly string[];
}

export class ArrayScout implements Scout {
  readonly #byId = new Map<string, Seen[]>();
  readonly #approvals = new Map<string, string>();
  readonly #answered = new Set<string>();

  see({ at, value }: RecordPiece): void {
    const id = nameOf(value['id']);
    if (id !== null) this.#byId.set(id, [...(this.#byId.get(id) ?? []), { at, role: nameOf(value['role']) ?? '', parts: marks(value) }]);
    for (const part of blocksOf(value['content'])) {
      const callId = textOf(part['toolCallId']) ?? '';
      if (part['type'] === 'tool-result') this.#answered.add(callId);
      if (part['type'] === 'tool-approval-request') this.#approvals.set(textOf(part['approvalId']) ?? '', callId);
    }
  }

  finish(): ReturnType<Scout['finish']> {
    const superseded = new Set<number>();
    const repeated = new Set<number>();
    for (const seen of this.#byId.values()) {
      for (const [index, one] of seen.entries()) {
        if (seen.slice(index + 1).some((later) => continues(later, one))) superseded.add(one.at);
        else if (seen.slice(0, index).some((before) => !superseded.has(before.at))) repeated.add(one.at);
      }
    }
    const unanswered = new Map([...this.#approvals].filter(([, callId]) => !this.#answered.has(callId)));
    const facts: ArrayFacts = { superseded, repeated, unanswered };
    return { reader: () => new AiSdkReader(facts), again: superseded.size > 0 || unanswered.size > 0 };
  }
}

const continues = (later: Seen, earlier: Seen): boolean =>
  earlier.parts.length > 0 &&
  later.role === earlier.role &&
  later.parts.length >= earlier.parts.length &&
  earlier.parts.every((part, index) => part === later.parts[index]);

/** A tool part is the same while its state moves on; every other part is what it says. */
function marks(message: JsonObject): string[] {
  const parts = partsOf(message);
  const list = parts.length > 0 ? parts : blocksOf(message['content']);
  return list.map((part) =>
    isTool(part) && nameOf(part['toolCallId']) !== null ? `tool ${String(part['toolCallId'])}` : stringify(withoutState(part)),
  );
}

function withoutState(part: JsonObject): JsonObject {
  if (part['type'] !== 'text' && part['type'] !== 'reasoning') return part;
  return Object.fromEntries(Object.entries(objectOf(part) ?? {}).filter(([key]) => key !== 'state'));
}
