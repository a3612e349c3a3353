import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Choice } from './choose.ts';
import { perform } from './perform.ts';
import { turns } from './turns.ts';
import { Workbench } from './workbench.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const target = `${repository}/apps/cli/sample/session.jsonl.gz`;

const bench = new Workbench(repository);
try {
  const text = perform(turns(new Choice(repository)), bench);
  const packed = gzipSync(text, { level: 9 });
  packed[9] = 255; // the byte that names the operating system
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, packed);
  console.log(
    `sample: ${String(text.split('\n').length - 1)} records, ${String(text.length)} characters, ${String(packed.length)} bytes packed`,
  );
} finally {
  bench.close();
}
