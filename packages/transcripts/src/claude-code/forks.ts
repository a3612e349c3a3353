/**
 * Rewinds, for tree reading. The parent chain is not the conversation here (results of parallel calls hang on side arms, compactions
 * begin new roots), so nothing is walked: only where two user texts have one parent, the older arm was left.
 */
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { isResult } from './content.ts';

interface Node {
  readonly number: number;
  readonly uuid: string;
  readonly parent: string | null;
  readonly isPrompt: boolean;
}

export class Forks {
  readonly #nodes: Node[] = [];

  see(value: JsonObject, number: number): void {
    const uuid = nameOf(value['uuid']);
    if (uuid !== null) this.#nodes.push({ number, uuid, parent: nameOf(value['parentUuid']), isPrompt: isPrompt(value) });
  }

  /** Numbers of the records on arms that were left. */
  left(): Set<number> {
    const newest = new Map<string, number>();
    for (const { number, parent, isPrompt } of this.#nodes) if (isPrompt && parent !== null) newest.set(parent, number);
    const left = new Set<number>();
    const leftUuids = new Set<string>();
    for (const { number, uuid, parent, isPrompt } of this.#nodes) {
      if (parent === null || (!leftUuids.has(parent) && !(isPrompt && newest.get(parent) !== number))) continue;
      left.add(number);
      leftUuids.add(uuid);
    }
    return left;
  }
}

function isPrompt(value: JsonObject): boolean {
  if (value['type'] !== 'user' || value['isMeta'] === true || value['isSidechain'] === true) return false;
  return !(listOf(objectOf(value['message'])?.['content']) ?? []).some(isResult);
}
