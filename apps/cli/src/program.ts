import { Command } from 'commander';
import { authoring } from './tree/authoring.ts';
import { config, equipment, insights } from './tree/looking.ts';
import { describe } from './tree/options.ts';
import { replays, talking } from './tree/running.ts';
import { sessions } from './tree/sessions.ts';
import { completion, settingUp } from './tree/setting-up.ts';

/** The tree of commands. Nothing of what they do is loaded by it. */
export function palimpsest(): Command {
  const program = describe(new Command('palimpsest'), 'An agent runtime whose context management is a plugin.', 'demo');
  // What commander has to say is thrown; it is worded like every other error.
  program.version('0.1.0').configureOutput({ outputError: () => undefined }).exitOverride();
  settingUp(program);
  talking(program);
  replays(program);
  sessions(program);
  insights(program);
  equipment(program);
  authoring(program);
  config(program);
  completion(program);
  return program;
}
