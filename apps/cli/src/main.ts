import { CommanderError } from 'commander';
import { palimpsest } from './program.ts';

/** Runs one command. Sets the exit code: 0 ok, 1 failed, 2 user error. Each command loads what it needs when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', closedPipe);
  try {
    await palimpsest().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else process.exitCode = (await import('./output/failure.ts')).fail(error, argv.includes('--json'));
  }
}

/** `palimpsest … | head`: whoever reads has enough. */
function closedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
