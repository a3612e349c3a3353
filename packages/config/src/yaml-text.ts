import { Document, visit } from 'yaml';
import type { Json } from '@palimpsest/contracts';

/** Characters that are lost or mean something else when they stand in a YAML text as themselves. */
const UNSAFE = /[\p{C}\u2028\u2029]/u;

/** A document as YAML text in block style that reads back as it is. */
export const yamlText = (value: Json): string => written(value, (text) => UNSAFE.test(text.replaceAll('\n', '')));

/** A value on one line, to stand behind a key. */
export function yamlScalar(value: Json): string {
  return typeof value === 'string'
    ? written({ k: value }, (text) => UNSAFE.test(text))
        .slice('k: '.length)
        .trimEnd()
    : JSON.stringify(value);
}

function written(value: Json, unsafe: (text: string) => boolean): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && unsafe(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
