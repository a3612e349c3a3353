import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  type ExtractorLogLevel,
  type ExtractorMessage,
  type IConfigFile,
} from '@microsoft/api-extractor';
import type { Entry } from './entries.ts';
import { realFaults, type Fault } from './faults.ts';

export interface Extracted {
  /** By specifier, as API Extractor writes them. */
  readonly reports: ReadonlyMap<string, string>;
  /** A type that an export needs and nobody can name, a link that leads nowhere. */
  readonly faults: readonly Fault[];
}

/** Reads built declarations: one program for all entries. @throws Error where something is not built. */
export function extract(root: string, entries: readonly Entry[]): Extracted {
  const missing = entries.find(({ types }) => !existsSync(join(root, types)));
  if (missing !== undefined) throw new Error(`${missing.types} is not there: run npm run build`);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-api-'));
  try {
    return extractInto(folder, root, entries);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function extractInto(folder: string, root: string, entries: readonly Entry[]): Extracted {
  const configs = entries.map((entry, index) => configOf(entry, root, { folder, name: String(index) }));
  const [first, ...others] = configs;
  if (first === undefined) return { reports: new Map(), faults: [] };
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  const faults: Fault[] = [];
  const reports = new Map(
    entries.map(({ specifier }, index): [string, string] => {
      const config = configs[index] ?? first;
      const messageCallback = (message: ExtractorMessage): void => {
        if (isFault(message)) faults.push({ specifier, rule: message.messageId, text: message.text });
        message.handled = true;
      };
      Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
      return [specifier, readFileSync(config.reportFilePath, 'utf8')];
    }),
  );
  return { reports, faults: realFaults(faults, reports) };
}

const isFault = ({ category, logLevel }: ExtractorMessage): boolean =>
  String(category) !== 'console' && ['error', 'warning'].includes(String(logLevel));

function configOf(entry: Entry, root: string, { folder, name }: { readonly folder: string; readonly name: string }): ExtractorConfig {
  const configObject: IConfigFile = {
    projectFolder: join(root, entry.folder),
    mainEntryPointFilePath: join(root, entry.types),
    compiler: { overrideTsconfig: { compilerOptions: compilerOptions(root), files: [join(root, entry.types)] } },
    apiReport: { enabled: true, reportFolder: folder, reportTempFolder: join(folder, 'temp'), reportFileName: name },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf',
    messages: {
      compilerMessageReporting: { default: WARN },
      extractorMessageReporting: { default: WARN, ...UNUSED },
      tsdocMessageReporting: { default: NONE },
    },
  };
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, entry.folder, 'package.json'),
  });
}

const WARN = { logLevel: 'warning' as ExtractorLogLevel };
const NONE = { logLevel: 'none' as ExtractorLogLevel };
/** Release tags and a comment on every name are not asked for. */
const UNUSED = { 'ae-missing-release-tag': NONE, 'ae-undocumented': NONE };

/** As a user of the packages has them; what is under test is our declarations, not those of others. */
const compilerOptions = (root: string): object => ({
  target: 'es2023',
  lib: ['es2024'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
});
