import { Argument, Option, type Command } from 'commander';
import type { InitOptions } from '../commands/init.ts';
import { describe, json } from './options.ts';

export function settingUp(program: Command): void {
  describe(program.command('init'), 'write a commented palimpsest.yaml after three questions', 'init')
    .argument('[file]', 'settings of another program, with --from')
    .option('--yes', 'ask nothing, take the defaults')
    .addOption(new Option('--from <program>', 'convert the keys that have a place here, name the rest').choices(['hermes', 'pi']))
    .addOption(json())
    .action(async (file: string | undefined, options: InitOptions) => (await import('../commands/init.ts')).init(file, options));
}

/** Made from the tree itself. */
export function completion(program: Command): void {
  describe(
    program.command('completion'),
    'completion for your shell',
    'completion bash > ~/.local/share/bash-completion/completions/palimpsest',
  )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      (await import('../output/stdout.ts')).out((await import('../completion.ts')).completionScript(program, shell));
    });
}
