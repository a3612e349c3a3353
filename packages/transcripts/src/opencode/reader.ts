/** Reads `{info, parts}` messages in their order. */
import type { RecordReader } from '../formats.ts';
import { compactionMark, keptData } from '../kept.ts';
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { note, skip, type Step } from '../steps.ts';
import { assistantSteps, infoOf, isSummary, partsOf } from './assistant.ts';
import type { OpenCodeFacts } from './facts.ts';
import { userSteps } from './user.ts';

export class OpenCodeReader implements RecordReader {
  readonly #facts: OpenCodeFacts;
  #number = -1;
  #behindCompaction = false;
  #hasSystem = false;

  constructor(facts: OpenCodeFacts) {
    this.#facts = facts;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    const number = ++this.#number;
    const info = infoOf(value);
    if (objectOf(value['info']) === null) return [skip('malformed', 'no info')];
    const reverted = this.#facts.reverted;
    const cut = reverted?.from === number && reverted.part !== null ? reverted.part : null;
    if (reverted !== null && number >= reverted.from && cut === null) return [skip('rewound')];
    const parts = partsOf(value);
    const kept = cut === null ? parts : beforePart(parts, cut);
    const steps = this.#steps(info, kept, at, number);
    const rewound = kept.length < parts.length ? [skip('rewound', `from ${cut ?? ''}`)] : [];
    const order = number === 0 && this.#facts.outOfOrder ? [note('out-of-order')] : [];
    return [...order, ...this.#system(info), ...steps, ...rewound];
  }

  #steps(info: JsonObject, parts: readonly JsonObject[], at: number, number: number): readonly Step[] {
    const behind = this.#behindCompaction;
    this.#behindCompaction = isSummary(info);
    if (info['role'] === 'assistant') {
      const mark = this.#facts.alone.has(number) ? [compactionMark('opencode', {})] : [];
      return [...mark, ...assistantSteps(info, parts, at)];
    }
    if (info['role'] !== 'user') return [skip('unknown-role', nameOf(info['role']) ?? 'no role')];
    const asked = parts.find((part) => part['type'] === 'compaction');
    if (asked === undefined) return userSteps(parts, behind);
    const mark = this.#facts.compacted.has(number)
      ? compactionMark('opencode', asked, asked['auto'] === false)
      : keptData('opencode', 'compaction', asked);
    const others = parts.filter((part) => part !== asked);
    return others.length === 0
      ? [mark]
      : [mark, ...userSteps(others, behind).filter((step) => step.do !== 'skip' || step.reason !== 'empty-user')];
  }

  /** The system text stands in every message; the first one is the prompt entry. */
  #system(info: JsonObject): readonly Step[] {
    const { system } = info;
    const text = Array.isArray(system) ? system.filter((one) => typeof one === 'string').join('\n\n') : nameOf(system);
    if (this.#hasSystem || text === null || text === '') return [];
    this.#hasSystem = true;
    return [{ do: 'facts', system: text }];
  }
}

function beforePart(parts: readonly JsonObject[], id: string): readonly JsonObject[] {
  const at = parts.findIndex((part) => part['id'] === id);
  return at === -1 ? parts : parts.slice(0, at);
}
