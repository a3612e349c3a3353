import { Option, type Command } from 'commander';

export const json = (): Option => new Option('--json', 'print JSON');
export const configFile = (): Option => new Option('--config <file>', "configuration file, over the project's and the user's");

/** A command with its description, and an example that stands first in its help. */
export function describe(command: Command, description: string, example: string): Command {
  return command.description(description).addHelpText('before', `Example: palimpsest ${example}\n`);
}
