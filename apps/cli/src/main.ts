import { CommanderError } from 'commander';
import { palimpsest } from './program.ts';

/** Runs one command. Sets the exit code: 0 ok, 1 failed, 2 user error. Each command loads what it needs when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => { void unwritten(error, argv.includes('--json')); });
  process.stderr.on('error', () => undefined);
  try {
    await palimpsest().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else process.exitCode = (await import('./output/failure.ts')).fail(error, argv.includes('--json'));
  }
}

/** `palimpsest … | head`: whoever reads has enough. Anything else is told where it still can be. */
async function unwritten(error: NodeJS.ErrnoException, json: boolean): Promise<void> {
  if (error.code === 'EPIPE') process.exit(0);
  const [{ errors }, { fail }] = await Promise.all([import('@palimpsest/contracts/plain'), import('./output/failure.ts')]);
  process.exit(fail(errors.fileWriteFailed('the output', error), json));
}
