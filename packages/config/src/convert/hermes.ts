import { nodeAt } from '../located.ts';
import { converted, type Conversion, type Dialect, type Rule } from './conversion.ts';
import { hermesModel, hermesText } from './hermes-model.ts';
import { entries, number, same, truth, wholeFrom } from './rules.ts';
import { writtenText } from './written-value.ts';

const compression = (key: string, kind: Parameters<typeof same>[2]): Rule => same(['compression', key], ['compression', key], kind);

/** Null is a value of its own: no cap. */
const cap: Rule = (root) => {
  const from = ['compression', 'threshold_tokens'];
  const node = nodeAt(root, from);
  return node?.kind === 'scalar' && node.value === null
    ? [{ group: [{ from, to: from, value: null }] }]
    : compression('threshold_tokens', number)(root);
};

/** The older place of the key counts where the newer one is not written. */
const steps: Rule = (root) => {
  const to = ['agent', 'max_steps'];
  const newer = nodeAt(root, ['agent', 'max_turns']);
  const older = nodeAt(root, ['max_turns']);
  if (newer === null) return same(['max_turns'], to, number)(root);
  return [
    ...same(['agent', 'max_turns'], to, number)(root),
    ...(older === null ? [] : [{ path: ['max_turns'], why: 'agent.max_turns stands' }]),
  ];
};

const system: Rule = (root) => {
  const from = ['agent', 'system_prompt'];
  const node = nodeAt(root, from);
  if (node === null) return [];
  const text = writtenText(node);
  return [text === null ? { path: from, why: 'expected text' } : { group: [{ from, to: ['prompt', 'system'], value: hermesText(text) }] }];
};

const engine: Rule = (root) => {
  const from = ['context', 'engine'];
  const node = nodeAt(root, from);
  if (node === null) return [];
  const isBuiltIn = writtenText(node) === 'compressor';
  return [
    isBuiltIn
      ? { group: [{ from, to: from, value: 'compressor' }] }
      : { path: from, why: 'engines of Hermes do not run here; name an installed one' },
  ];
};

const hermes: Dialect = {
  rules: [
    hermesModel,
    steps,
    system,
    engine,
    compression('enabled', truth),
    compression('threshold', number),
    cap,
    entries(['compression', 'model_thresholds'], ['compression', 'model_thresholds'], number),
    compression('target_ratio', number),
    compression('protect_first_n', wholeFrom(0)),
    compression('protect_last_n', wholeFrom(1)),
    compression('min_tail_user_messages', wholeFrom(1)),
  ],
  sections: [
    'model',
    'agent',
    'context',
    'compression',
    'compression.model_thresholds',
    'auxiliary',
    'auxiliary.compression',
    'prompt_caching',
  ],
  reasons: {
    plugins: 'plugins of Hermes do not run here; plugins names ours',
  },
};

/**
 * The settings of Hermes Agent (`config.yaml`) as a `palimpsest.yaml`. Reads what Hermes reads: YAML 1.1 words (`off`, `yes`), numbers in
 * quotes. Secrets that are written out are not copied.
 * @throws CONFIG_INVALID with line and column when the text is no YAML mapping.
 */
export const convertHermes = (text: string, file = 'config.yaml'): Conversion => converted(text, file, hermes);
