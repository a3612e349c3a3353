import { checkEngine, reportText, type GroupName } from '@palimpsest/conformance';
import { createPlugin, distrustPlugin, openPlugin, syncPlugin, trustPlugin } from '@palimpsest/runtime/authoring';
import { seedOf } from '../numbers.ts';
import { json, line, prose } from '../output/print.ts';

interface Options {
  readonly json?: boolean;
}
export interface NewOptions extends Options {
  readonly in?: string;
}
export interface CheckOptions extends Options {
  readonly group?: readonly string[];
  readonly seed?: string;
}

export async function create(name: string, options: NewOptions): Promise<void> {
  const made = await createPlugin(name, options.in);
  if (options.json === true) return void json(made);
  for (const file of made.files) line(file);
  line();
  line('Next:');
  for (const step of made.next) line(`  ${step}`);
}

export async function check(folder: string, options: CheckOptions): Promise<void> {
  const seed = options.seed === undefined ? {} : { seed: seedOf(options.seed) };
  const definition = await openPlugin(folder);
  const report = await checkEngine(definition, {
    ...seed,
    ...(options.group === undefined ? {} : { groups: options.group as readonly GroupName[] }),
  });
  if (options.json === true) json(report);
  else line(reportText(report));
  process.exitCode = report.passed ? 0 : 1;
}

export async function sync(folder: string, options: Options): Promise<void> {
  const synced = await syncPlugin(folder);
  if (options.json === true) return void json(synced);
  line(synced.changed ? `${synced.file}: options written` : `${synced.file}: nothing to change`);
}

export async function trust(name: string, options: Options): Promise<void> {
  const trusted = await trustPlugin(name);
  if (options.json === true) return void json(trusted);
  line(`trusted: ${trusted.name} ${trusted.version}, ${trusted.folder}`);
  line(`content: ${trusted.hash}`);
  if (trusted.permissions.length > 0) line(`it asks for: ${trusted.permissions.join(', ')}`);
  prose('Its code runs in your sessions from now on. A change of any file in the folder takes the trust away.');
}

export async function untrust(name: string, options: Options): Promise<void> {
  const { folder, was, trusted } = await distrustPlugin(name);
  if (options.json === true) return void json({ name, folder, was, trusted });
  line(was ? `no longer trusted: ${name}, ${folder}` : `${name} was not trusted: ${folder}`);
  if (was || trusted.length === 0) return;
  line('Trusted are these folders; one of them can be named instead:');
  for (const one of trusted) line(`  ${one}`);
}
