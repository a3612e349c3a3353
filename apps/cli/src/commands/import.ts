import { importTranscript } from '@palimpsest/runtime';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { json, table, warn } from '../output/print.ts';
import { tellReading } from '../output/reading.ts';
import { withFile } from '../session-file.ts';
import { formatFrom } from './replay.ts';

export interface ImportOptions extends CommonOptions {
  readonly format?: string;
  readonly as?: string;
}

export async function importFile(transcript: string, options: ImportOptions): Promise<void> {
  const { format, as } = options;
  const ask = { ...(format === undefined ? {} : { format: formatFrom(format) }), ...(as === undefined ? {} : { as }) };
  await withFile(transcript, (file) =>
    withRuntime(options, async (runtime) => {
      const imported = await importTranscript(runtime, { file, ...ask });
      if (options.json === true) return json(imported);
      table(
        imported.map(({ session, entries, transcript: report }) => [session, entries, report.skipped.length, report.format]),
        ['session', 'entries', 'skipped', 'format'],
      );
      tellReading(imported.map(({ transcript: report }) => report));
      for (const { session, notes } of imported) for (const note of notes) warn(`${session}: ${note}`);
    }),
  );
}
