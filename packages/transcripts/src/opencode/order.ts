/** Messages by the time they were made, then by id; parts by id. Ids rise with time. */
import type { Json } from '@palimpsest/contracts';
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { DocumentPart, ElementPart } from '../openai/document.ts';

const infoOf = (message: Json): JsonObject => objectOf(objectOf(message)?.['info']) ?? {};
const idOf = (value: JsonObject): string => nameOf(value['id']) ?? '';
const byText = (one: string, other: string): number => (one === '' || other === '' || one === other ? 0 : one < other ? -1 : 1);

export function byTime(one: Json, other: Json): number {
  const [a, b] = [infoOf(one), infoOf(other)];
  const [from, to] = [objectOf(a['time'])?.['created'], objectOf(b['time'])?.['created']];
  const time = typeof from === 'number' && typeof to === 'number' ? from - to : 0;
  return time === 0 ? byText(idOf(a), idOf(b)) : time;
}

/** Sorting keeps what has neither time nor id in its place. */
export function arrange(parts: readonly DocumentPart[]): readonly DocumentPart[] {
  const elements = parts.filter((part): part is ElementPart => 'index' in part).map(withOrderedParts);
  const sorted = elements.toSorted((one, other) => byTime(one.value, other.value));
  return [...parts.filter((part) => !('index' in part)), ...sorted];
}

function withOrderedParts(element: ElementPart): ElementPart {
  const message = objectOf(element.value);
  const parts = listOf(message?.['parts']);
  if (message === null || parts === null) return element;
  const sorted = parts.toSorted((one, other) => byText(idOf(objectOf(one) ?? {}), idOf(objectOf(other) ?? {})));
  return { ...element, value: { ...message, parts: sorted } };
}
