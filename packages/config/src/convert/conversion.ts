import type { Json } from '@palimpsest/contracts';
import { dotted, type Path } from '../dotted-path.ts';
import { configError, type Fault } from '../faults.ts';
import { isMap, nodeAt, type Located } from '../located.ts';
import { readYaml } from '../read-yaml.ts';
import { yamlText } from '../yaml-text.ts';
import { emptyDraft, offered, type Assignment, type Draft, type Refusal } from './draft.ts';

/** The settings of another program in our words. */
export interface Conversion {
  /** A `palimpsest.yaml` without comments; empty when nothing was converted. */
  readonly yaml: string;
  /** Their key, ours, and the value it has now. One key of theirs can set several of ours. */
  readonly converted: readonly (readonly [from: string, to: string, value: Json])[];
  /** What was left behind, at the highest level below which nothing was converted, and why. Never tells a value. */
  readonly unknown: readonly (readonly [path: string, why: string])[];
}

/** Assignments that only make sense together, or a key that cannot be taken over. */
export type Proposal = { readonly group: readonly Assignment[] } | Refusal;
/** Looks for the keys it knows in the whole document; answers for every key it looked at that is written. */
export type Rule = (root: Located) => readonly Proposal[];

/** What is known of another program's settings. */
export interface Dialect {
  readonly rules: readonly Rule[];
  /** Dotted paths of mappings whose keys are named one by one: every one that holds a key some rule looks at, and more. */
  readonly sections: readonly string[];
  /** Why a key that no rule answers for is left behind, where there is more to say than that. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Says better than a YAML reader what is wrong with a text that cannot be read; null: it cannot. */
  readonly syntaxFault?: (text: string, file: string) => Fault | null;
}

/** @throws CONFIG_INVALID with line and column when the text cannot be read as settings at all. */
export function converted(text: string, file: string, { rules, sections, reasons, syntaxFault }: Dialect): Conversion {
  const { root, faults } = readYaml(text, { origin: 'explicit', file, folder: '' });
  if (faults.length > 0) {
    const better = syntaxFault?.(text, file) ?? null;
    throw configError(better === null ? faults : [better]);
  }
  const proposals = rules.flatMap((rule) => rule(root));
  const draft = proposals.reduce(accepted, emptyDraft);
  const answered = new Set([...draft.assignments.map(({ from }) => dotted(from)), ...draft.refusals.map(({ path }) => dotted(path))]);
  const left = [...draft.refusals.map((refusal) => placed(root, refusal)), ...leftovers(root, answered, sections, reasons)];
  return {
    yaml: draft.assignments.length === 0 ? '' : yamlText(draft.document),
    converted: draft.assignments.map(({ from, to, value }) => [dotted(from), dotted(to), value]),
    unknown: left.map(({ path, why }) => [dotted(path), why]),
  };
}

const accepted = (draft: Draft, proposal: Proposal): Draft =>
  'group' in proposal ? offered(draft, proposal.group) : { ...draft, refusals: [...draft.refusals, proposal] };

/** Who has to mend a value wants to know where it stands. */
function placed(root: Located, { path, why }: Refusal): Refusal {
  const at = nodeAt(root, path)?.at ?? null;
  return { path, why: at === null ? why : `${why} (line ${String(at.line)}, column ${String(at.column)})` };
}

const NO_PLACE = 'there is no such setting here';

/** Everything that nothing has answered for. */
function leftovers(
  root: Located,
  answered: ReadonlySet<string>,
  sections: readonly string[],
  reasons: Dialect['reasons'],
): readonly Refusal[] {
  const rest = (node: Located, path: Path): readonly Refusal[] => {
    const name = dotted(path);
    if (answered.has(name)) return [];
    const opened = path.length === 0 || sections.includes(name);
    const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined;
    if (!isMap(node)) {
      const nothing = node.kind === 'scalar' && node.value === null && opened;
      return nothing ? [] : [{ path, why: reason ?? (opened ? 'expected a mapping' : NO_PLACE) }];
    }
    return opened ? [...node.entries].flatMap(([key, value]) => rest(value, [...path, key])) : [{ path, why: reason ?? NO_PLACE }];
  };
  return rest(root, []);
}
