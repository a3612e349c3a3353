import type { EngineClaims } from '@palimpsest/contracts';
import { requireEngineName } from '@palimpsest/runtime/authoring';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, line, prose } from '../output/print.ts';

export async function engines(name: string | undefined, options: CommonOptions): Promise<void> {
  if (name !== undefined) requireEngineName(name);
  await withRuntime(options, async (runtime) => {
    const resolution = await runtime.resolution(name);
    if (options.json === true) return void json(resolution);
    line(
      `${resolution.asked}: ${resolution.name} ${resolution.version} from ${resolution.resolvedFrom}${resolution.substituted ? ' (stands in)' : ''}`,
    );
    for (const claim of claimLines(resolution.claims)) prose(`  ${claim}`, '    ');
    for (const { place, found, why } of resolution.lookups) prose(`  ${found ? '✓' : '·'} ${place}: ${why}`, '    ');
  });
}

function claimLines({ owns, needs, permissions, marks }: EngineClaims): readonly string[] {
  const figures = Object.entries(marks ?? {}).map(([mark, tokens]) => `${mark} ${String(tokens)}`);
  const claims = { owns, needs, permissions, marks: figures };
  return Object.entries(claims).flatMap(([claim, words]) => (words.length === 0 ? [] : [`${claim}: ${words.join(', ')}`]));
}
