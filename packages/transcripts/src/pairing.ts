/**
 * Which result answers which call: the nearest earlier call of the same id. Call ids repeat within a session, so positions
 * decide and nothing is kept per id but the newest call. A call stands where its merged message begins, so a result recorded
 * between the parts of a message may answer a call of a later part.
 */
export const DUPLICATE = -1;
export const ORPHAN = -2;

interface Newest {
  call: number;
  answered: boolean;
}
interface Early {
  readonly result: number;
  readonly position: number;
}

export class Pairing {
  readonly #newest = new Map<string, Newest>();
  readonly #early = new Map<string, Early[]>();
  readonly #answers: number[] = [];
  readonly #answered: boolean[] = [];

  /** `position`: of the first record of the call's message. Calls are numbered from 0 in the order of asking here. */
  call(id: string, position: number): void {
    const call = this.#answered.length;
    const early = this.#early.get(id)?.findIndex((one) => one.position > position) ?? -1;
    const [claimed] = early === -1 ? [] : (this.#early.get(id)?.splice(early, 1) ?? []);
    this.#answered.push(claimed !== undefined);
    if (claimed !== undefined) this.#answers[claimed.result] = call;
    this.#newest.set(id, { call, answered: claimed !== undefined });
  }

  /** `position`: of the record that holds the result. Results are numbered from 0 likewise. */
  result(id: string, position: number): void {
    const newest = this.#newest.get(id);
    if (newest === undefined || newest.answered) {
      const early = this.#early.get(id) ?? [];
      early.push({ result: this.#answers.length, position });
      this.#early.set(id, early);
      this.#answers.push(newest === undefined ? ORPHAN : DUPLICATE);
      return;
    }
    newest.answered = true;
    this.#answered[newest.call] = true;
    this.#answers.push(newest.call);
  }

  /** `answers`: by result, its call, {@link DUPLICATE} or {@link ORPHAN}. `answered`: by call. */
  finish(): { readonly answers: readonly number[]; readonly answered: readonly boolean[] } {
    return { answers: this.#answers, answered: this.#answered };
  }
}
