import type { Command } from 'commander';
import type { SchemaOptions } from '../commands/config.ts';
import type { ContextOptions } from '../commands/context.ts';
import type { ModelsOptions } from '../commands/models.ts';
import type { WhyOptions } from '../commands/why.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { configFile, describe, json } from './options.ts';

/** What a session saw, and what it would see. */
export function insights(program: Command): void {
  describe(program.command('why'), 'what the model saw at a step, block by block, and why', 'why work')
    .argument('<session>')
    .argument('[step]', 'number from 1, or an entry id; default: the newest')
    .option('--request', 'print only the exact body of the request')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, step: string | undefined, options: WhyOptions) =>
      (await import('../commands/why.ts')).why(session, step, options),
    );
  describe(program.command('context'), 'what fills the window now, by category', 'context work')
    .argument('<session>')
    .option('--window <tokens>', 'as if the window had so many tokens')
    .addOption(configFile())
    .addOption(json())
    .action(async (session: string, options: ContextOptions) => (await import('../commands/context.ts')).context(session, options));
}

/** Engines, models, and whether all is well. */
export function equipment(program: Command): void {
  describe(program.command('engines'), 'which context engine is used and where it was looked for', 'engines')
    .argument('[name]')
    .addOption(configFile())
    .addOption(json())
    .action(async (name: string | undefined, options: CommonOptions) => (await import('../commands/engines.ts')).engines(name, options));
  describe(program.command('models'), 'the configured models, and at which marks room is made', 'models --window 200000')
    .option('--window <tokens>', 'as if the window had so many tokens')
    .option('--reserve <tokens>', 'as if so many were kept for the answer')
    .option('--threshold <share>', 'as if this were compression.threshold')
    .addOption(configFile())
    .addOption(json())
    .action(async (options: ModelsOptions) => (await import('../commands/models.ts')).models(options));
  describe(program.command('doctor'), 'PASS, WARN or FAIL for everything a session needs, with what to do', 'doctor')
    .addOption(configFile())
    .addOption(json())
    .action(async (options: CommonOptions) => (await import('../commands/doctor.ts')).doctor(options));
}

export function config(program: Command): void {
  const group = describe(program.command('config'), 'the configuration', 'config check');
  describe(group.command('check'), 'read every layer and report the faults', 'config check palimpsest.yaml')
    .argument('[file]')
    .addOption(json())
    .action(async (file: string | undefined, options: CommonOptions) => (await import('../commands/config.ts')).check(file, options));
  describe(group.command('explain'), 'each effective value and where it comes from', 'config explain compression')
    .argument('[path]')
    .addOption(configFile())
    .addOption(json())
    .action(async (path: string | undefined, options: CommonOptions) => (await import('../commands/config.ts')).explain(path, options));
  describe(group.command('schema'), 'JSON Schema of palimpsest.yaml, for editors', 'config schema -o palimpsest.schema.json')
    .option('-o, --output <file>', 'write this file')
    .addOption(json())
    .action(async (options: SchemaOptions) => (await import('../commands/config.ts')).schema(options));
}
