import { fromCompressor, fromSelector } from '@palimpsest/plugin-kit';
import { conformance } from './vitest.ts';

/** In the style of Hermes: keeps the ends, one line for the middle. */
const middleOut = fromCompressor({
  name: 'middle-out',
  version: '1.0.0',
  create: () => ({
    shouldCompress: (tokens) => tokens > 0,
    compress: (messages) =>
      messages.length < 12
        ? messages
        : [...messages.slice(0, 2), { role: 'user', content: `[${String(messages.length - 8)} messages left out]` }, ...messages.slice(-6)],
  }),
});
conformance(middleOut, {
  groups: [
    'shape',
    'purity',
    'budget',
    'structure',
    'coverage',
    'crash',
    'cache',
    'branch',
    'isolation',
    'language',
    'injection',
    'unknown-fields',
  ],
});

/** Every other message that still fits. */
const everyOther = fromSelector({
  name: 'every-other',
  version: '1.0.0',
  manifest: { provides: ['context-engine', 'selection'] },
  select: ({ items }) => items.filter((_, at) => at % 2 === 0).map(({ id }) => id),
});
conformance(everyOther, {
  groups: ['shape', 'purity', 'structure', 'coverage', 'crash', 'cache', 'branch', 'isolation', 'language', 'unknown-fields'],
});
