import { Option, type Command } from 'commander';
import type { CheckOptions, NewOptions } from '../commands/engine.ts';
import { describe, json } from './options.ts';

/** For authors of engines, and for whoever is asked to trust one. */
export function authoring(program: Command): void {
  const group = describe(program.command('engine'), 'write, check and trust context engines', 'engine new my-engine');
  describe(group.command('new'), 'a plugin that passes the kit, to start from', 'engine new my-engine')
    .argument('<name>')
    .option('--in <folder>', 'default: plugins/context_engine of the project')
    .addOption(json())
    .action(async (name: string, options: NewOptions) => (await import('../commands/engine.ts')).create(name, options));
  describe(
    group.command('check'),
    'run the conformance kit on the plugin in a folder; its code runs',
    'engine check plugins/context_engine/my-engine',
  )
    .argument('<folder>')
    .addOption(new Option('--group <groups...>', 'only these groups').choices(GROUPS))
    .option('--seed <number>', 'of the generated conversations')
    .addOption(json())
    .action(async (folder: string, options: CheckOptions) => (await import('../commands/engine.ts')).check(folder, options));
  describe(
    group.command('sync'),
    "write the options of the author's schema into plugin.yaml; its code runs",
    'engine sync plugins/context_engine/my-engine',
  )
    .argument('<folder>')
    .addOption(json())
    .action(async (folder: string, options: { readonly json?: boolean }) => (await import('../commands/engine.ts')).sync(folder, options));
  describe(group.command('trust'), 'let a plugin of this project run, as its files are now', 'engine trust my-engine')
    .argument('<name>')
    .addOption(json())
    .action(async (name: string, options: { readonly json?: boolean }) => (await import('../commands/engine.ts')).trust(name, options));
  describe(group.command('untrust'), 'take the trust back, also of a plugin that is gone', 'engine untrust my-engine')
    .argument('<name>', 'of a plugin of this project, or a folder')
    .addOption(json())
    .action(async (name: string, options: { readonly json?: boolean }) => (await import('../commands/engine.ts')).untrust(name, options));
}

/** The kit's groups: said here too, so that help loads no kit. */
const GROUPS = [
  'shape',
  'purity',
  'budget',
  'structure',
  'coverage',
  'idempotence',
  'crash',
  'cancel',
  'model-faults',
  'cache',
  'branch',
  'isolation',
  'language',
  'injection',
  'load',
  'unknown-fields',
];
