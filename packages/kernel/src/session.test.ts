import { expect, it } from 'vitest';
import type { ModelFault } from '@palimpsest/contracts';
import { KernelBench, TalkingModel } from '../test/bench.ts';

it('carries a model\'s fault as data, whatever its text holds', async () => {
  const fault: ModelFault = { kind: 'rate_limit', message: 'overflow: 429: slow down', limit: 7 };
  const { session } = await new KernelBench().open({ model: new TalkingModel(() => ({ fault })) });
  const seen: ModelFault[] = [];
  session.on('step.failed', (event) => { seen.push(event.fault); });
  await expect(session.send('Go').result).rejects.toMatchObject({
    code: 'MODEL_FAILED', retryable: true, details: { fault: 'rate_limit' }, message: 'openai-chat:test/model: overflow: 429: slow down (rate_limit)',
  });
  expect(seen).toEqual([fault]);
});
