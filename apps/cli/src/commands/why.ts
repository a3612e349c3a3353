import { inert } from '@palimpsest/contracts/plain';
import type { Why } from '@palimpsest/runtime';
import { stepOf } from '../numbers.ts';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { counted, json, line, number, prose, table } from '../output/print.ts';
import { out } from '../output/stdout.ts';

export interface WhyOptions extends CommonOptions {
  readonly request?: boolean;
}

export async function why(session: string, step: string | undefined, options: WhyOptions): Promise<void> {
  const asked = step === undefined ? undefined : stepOf(step);
  await withRuntime(options, async (runtime) => {
    const found = await runtime.why(session, asked);
    if (options.request === true) out(process.stdout.isTTY ? inert(found.body) : found.body);
    else if (options.json === true) json({ ...found, request: JSON.parse(found.body) as unknown });
    else show(found);
    if (!found.verified) process.exitCode = 1;
  });
}

function show(found: Why): void {
  prose(`step ${String(found.index)} (${found.step}) · ${found.engine} · ${found.route}`);
  prose(
    `${number(found.judgement.tokens)} of ${number(found.budget.effective)} tokens (${found.judgement.mark}); prefix ${found.breakReason === null ? 'only grew' : `broke: ${found.breakReason}`}`,
  );
  line();
  table(
    found.blocks.map((block) => [block.origin, block.shape, block.tokens, block.reason, block.preview]),
    ['entry', 'shape', 'tokens', 'why', ''],
  );
  for (const { through, entries, reason, reach } of found.hidden)
    prose(
      `not shown, up to ${through}: ${entries > 0 ? `${counted(entries, 'entry', 'entries')}, ` : ''}${reason}; reach: ${reach ?? 'the log'}`,
    );
  for (const { what, why: reason } of found.declined) prose(`declined: ${what}: ${reason}`);
  prose(
    found.verified
      ? 'The request was rebuilt from the log and hashes to what the step recorded.'
      : 'The rebuilt request does NOT hash to what the step recorded.',
  );
}
