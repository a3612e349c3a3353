/** Our own export, read like any other session file. */
import type { Format } from '../formats.ts';
import { nameOf } from '../json/values.ts';
import { isOwnEntry, isOwnHeader } from './lines.ts';
import { isOwnRecord, OwnReader } from './reader.ts';
import { OwnScout } from './scout.ts';

export const own: Format = {
  name: 'palimpsest',
  position: 'line',
  isRecord: isOwnRecord,
  startsSession: isOwnHeader,
  kindOf: (value) => (isOwnEntry(value) ? (nameOf(value['kind']) ?? '?') : isOwnHeader(value) ? 'session' : (nameOf(value['type']) ?? '?')),
  scout: (tree) => new OwnScout(tree),
  reader: () => new OwnReader({ left: new Set() }),
};
