import { z } from 'zod';
import { defineContextEngine, everything } from '@palimpsest/plugin-kit';
import { compact } from './compact.ts';

const options = z.strictObject({
  keep_turns: z.int().min(0).default(3).describe('Newest turns that stay whole, as long as there is room for them.'),
});

export default defineContextEngine({
  name: 'turn-diary',
  version: '0.1.0',
  manifest: { description: 'Keeps every word of the user and writes one line for each older turn. Needs no model.' },
  options,
  create: (host) => ({ plan: everything, compact: (request) => compact(request, host, host.options.keep_turns) }),
});
