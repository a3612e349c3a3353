import { CommanderError } from 'commander';
import { Ending } from './ending.ts';
import { palimpsest, spelledOut } from './program.ts';

/** Runs one command and ends the process: 0 ok, 1 failed, 2 user error. Each command loads what it needs when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  const asJson = asksForJson(argv);
  const ending = new Ending();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    void unwritten(error, ending);
  });
  process.stderr.on('error', () => undefined);
  try {
    const program = palimpsest();
    await program.hook('preAction', () => watched(ending, asJson)).parseAsync([...spelledOut(program, argv)]);
  } catch (error) {
    if (isHelp(error)) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else await told(error, asJson);
  }
  ending.end();
}

/** What follows `--` is no option. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

async function watched(ending: Ending, asJson: boolean): Promise<void> {
  const [{ errors }, { fail }] = await Promise.all([import('@palimpsest/contracts/plain'), import('./output/failure.ts')]);
  ending.watch((how) => fail(errors.commandUnfinished(how), asJson));
}

/** Help and version were asked for and printed; or nothing was asked, and help is the answer. */
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');
}

async function told(error: unknown, asJson: boolean): Promise<void> {
  const [{ fail }, { mistyped }] = await Promise.all([import('./output/failure.ts'), import('./output/mistyped.ts')]);
  process.exitCode = fail(error instanceof CommanderError ? mistyped(error.message) : error, asJson);
}

/** `palimpsest … | head`: whoever reads has enough; what had failed before stays so. Anything else is told where it still can be. */
async function unwritten(error: NodeJS.ErrnoException, ending: Ending): Promise<void> {
  if (error.code === 'EPIPE') ending.now(Number(process.exitCode ?? 0));
  const [{ errors }, { fail }] = await Promise.all([import('@palimpsest/contracts/plain'), import('./output/failure.ts')]);
  ending.now(fail(errors.fileWriteFailed('the output', error), false));
}
