import { CommanderError } from 'commander';
import { palimpsest } from './program.ts';

/** Runs one command. Sets the exit code: 0 ok, 1 failed, 2 user error. Each command loads what it needs when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => { void unwritten(error, argv.includes('--json')); });
  process.stderr.on('error', () => undefined);
  try {
    await palimpsest().parseAsync([...argv]);
  } catch (error) {
    if (isHelp(error)) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else await told(error, argv.includes('--json'));
  }
}

/** Help and version were asked for and printed; or nothing was asked, and help is the answer. */
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
}

async function told(error: unknown, json: boolean): Promise<void> {
  const [{ fail }, { mistyped }] = await Promise.all([import('./output/failure.ts'), import('./output/mistyped.ts')]);
  process.exitCode = fail(error instanceof CommanderError ? mistyped(error.message) : error, json);
}

/** `palimpsest … | head`: whoever reads has enough. Anything else is told where it still can be. */
async function unwritten(error: NodeJS.ErrnoException, json: boolean): Promise<void> {
  if (error.code === 'EPIPE') process.exit(0);
  const [{ errors }, { fail }] = await Promise.all([import('@palimpsest/contracts/plain'), import('./output/failure.ts')]);
  process.exit(fail(errors.fileWriteFailed('the output', error), json));
}
