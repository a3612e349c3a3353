/** Sessions whose elements do not stand in their order. */
import type { DocumentFormat } from '../formats.ts';
import type { DocumentPart, SessionDocument } from './document.ts';
import { StreamedDocument } from './streamed.ts';

/** A streamed document keeps its order: its elements are never in memory together. */
export function arranged(document: SessionDocument, { arrange }: DocumentFormat): SessionDocument {
  if (arrange === undefined || document instanceof StreamedDocument) return document;
  return {
    all: (onRaw) => each(document.all(onRaw), arrange),
    session: (index) => each(document.session(index), arrange),
  };
}

async function* each(
  batches: AsyncIterable<readonly DocumentPart[]>,
  arrange: (parts: readonly DocumentPart[]) => readonly DocumentPart[],
): AsyncGenerator<readonly DocumentPart[]> {
  for await (const batch of batches) yield arrange(batch);
}
