import { readFile } from 'node:fs/promises';
import { errors } from '@palimpsest/contracts';
import { configError, nearestKey, readJson, type Config, type Fault } from '@palimpsest/config';
import { modelSettings, scriptedReply } from '@palimpsest/models';

type Path = (string | number)[];
interface Problem {
  readonly path: Path;
  readonly problem: string;
  readonly near: string | null;
}
export interface Script {
  readonly script: unknown;
  readonly faults: readonly Fault[];
}

/** The answers of a scripted model of the configuration, or what is wrong with them: in their file, or where the configuration has them. @throws CONFIG_UNREADABLE. */
export async function readScript(config: Pick<Config, 'models' | 'faultAt'>, name: string): Promise<Script> {
  const script = config.models[name]?.script ?? null;
  if (script === null) return { script: undefined, faults: [] };
  if ('answers' in script)
    return {
      script: script.answers,
      faults: problemsOf(script.answers).map(({ path, problem, near }) =>
        config.faultAt(['models', name, 'script', ...path], problem, near),
      ),
    };
  const { value, fault, faultAt } = readJson(await textOf(script.file), script.file);
  if (fault !== null) return { script: undefined, faults: [fault] };
  return { script: value, faults: problemsOf(value).map(({ path, problem, near }) => faultAt(path, problem, near)) };
}

/** @throws CONFIG_UNREADABLE, CONFIG_INVALID. */
export async function checkedScript(config: Pick<Config, 'models' | 'faultAt'>, name: string): Promise<unknown> {
  const { script, faults } = await readScript(config, name);
  if (faults.length > 0) throw configError(faults);
  return script;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw errors.configUnreadable(file, cause, 'script');
  }
}

type Issue = NonNullable<ReturnType<typeof scriptedReply.safeParse>['error']>['issues'][number];

/** Pure. Of the two forms that a script can have, a list is held against the one and everything else against the other. */
export function problemsOf(script: unknown): readonly Problem[] {
  const issues: readonly Issue[] = modelSettings.shape.script.safeParse(script).error?.issues ?? [];
  return issues
    .flatMap((issue) =>
      issue.code === 'invalid_union' && issue.path.length === 0 ? (issue.errors[Array.isArray(script) ? 0 : 1] ?? []) : [issue],
    )
    .flatMap(wordedAs);
}

/** The words are the schema's; none of them repeats a value. */
function wordedAs(issue: Issue): readonly Problem[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code !== 'unrecognized_keys') return [{ path, problem: issue.message, near: null }];
  const known = Object.keys(path.length === 1 ? scriptedReply.shape : {});
  return issue.keys.map((key) => ({
    path: [...path, key],
    problem: known.length === 0 ? 'no such key' : `no such key; known here: ${known.join(', ')}`,
    near: nearestKey(key, known),
  }));
}
