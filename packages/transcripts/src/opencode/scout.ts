/** What has to be known before: which compactions came to something, where a revert cut, whether the order is right. */
import type { Scout } from '../formats.ts';
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { infoOf, isSummary, partsOf } from './assistant.ts';
import type { OpenCodeFacts } from './facts.ts';
import { byTime } from './order.ts';
import { OpenCodeReader } from './reader.ts';

export class OpenCodeScout implements Scout {
  readonly #ids = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  readonly #compacted = new Set<number>();
  readonly #alone = new Set<number>();
  #newest: number | null = null;
  #before: JsonObject | null = null;
  #outOfOrder = false;
  #reverted: OpenCodeFacts['reverted'] = null;

  see({ value }: RecordPiece, number: number): void {
    const info = infoOf(value);
    const id = nameOf(info['id']) ?? '';
    if (!this.#ids.has(id)) this.#ids.set(id, number);
    if (this.#before !== null && byTime(this.#before, value) > 0) this.#outOfOrder = true;
    this.#before = value;
    if (info['role'] === 'user' && partsOf(value).some((part) => part['type'] === 'compaction')) {
      this.#asked.set(id, number);
      this.#newest = number;
    }
    if (isSummary(info)) this.#summary(info, number);
  }

  #summary(info: JsonObject, number: number): void {
    const asked = this.#asked.get(nameOf(info['parentID']) ?? '') ?? this.#newest;
    if (asked === null || this.#compacted.has(asked)) this.#alone.add(number);
    else this.#compacted.add(asked);
  }

  beside(body: JsonObject): void {
    const revert = objectOf(objectOf(body['info'])?.['revert']);
    const from = this.#ids.get(nameOf(revert?.['messageID']) ?? '');
    if (revert !== null && from !== undefined) this.#reverted = { from, part: nameOf(revert['partID']) };
  }

  finish(): ReturnType<Scout['finish']> {
    const facts: OpenCodeFacts = {
      compacted: this.#compacted,
      alone: this.#alone,
      reverted: this.#reverted,
      outOfOrder: this.#outOfOrder,
    };
    return { reader: () => new OpenCodeReader(facts), again: this.#reverted !== null };
  }
}
