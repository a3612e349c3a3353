/** What API Extractor found wrong with one entry. */
export interface Fault {
  /** The entry: `@palimpsest/runtime/sessions`. */
  readonly specifier: string;
  readonly rule: string;
  readonly text: string;
}

const FORGOTTEN = /^The symbol "(?<name>[^"]+)" needs to be exported/u;

/**
 * A type that nobody can name is a fault; one that another entry of the same package exports is not. API Extractor sees one entry at a time.
 * `reports` by specifier. Pure.
 */
export function realFaults(faults: readonly Fault[], reports: ReadonlyMap<string, string>): readonly Fault[] {
  return faults.filter((fault) => {
    const name = fault.rule === 'ae-forgotten-export' ? FORGOTTEN.exec(fault.text)?.groups?.['name'] : undefined;
    if (name === undefined) return true;
    const others = [...reports].filter(([specifier]) => packageOf(specifier) === packageOf(fault.specifier));
    return !others.some(([, report]) => exportsName(report, name));
  });
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function exportsName(report: string, name: string): boolean {
  const word = name.replaceAll('$', String.raw`\$`);
  return new RegExp(String.raw`^export (?:declare |abstract )*(?:type|interface|class|const|function|enum) ${word}\b`, 'mu').test(report);
}
