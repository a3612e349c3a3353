import type { SessionTree, TreeBranch } from '@palimpsest/runtime/sessions';
import { cleanLine } from './clean.ts';
import { counted, number, wrapped } from './table.ts';
import { cut } from './width.ts';

/** Deeper branches are not indented further: their number says where they grow from. */
const MOST_INDENTS = 8;

/** One line for each branch, its marks below it; `*` is the path of the leaf. Texts are cut to the width; ids never are. */
export function treeLines({ record, branches }: SessionTree, widthColumns: number | null): readonly string[] {
  const head = `${record.id}: ${counted(record.entries, 'entry', 'entries')}, ${counted(branches.length, 'branch', 'branches')}, leaf ${record.leaf ?? 'none'}`;
  const parent = record.parent === null ? [] : [`forked from ${record.parent.session} at ${record.parent.entry}`];
  return [
    ...[head, ...parent].flatMap((text) => wrapped(text, widthColumns, '  ').split('\n')),
    ...branches.flatMap((branch, index) => branchLines(branch, index, widthColumns)),
  ];
}

function branchLines(branch: TreeBranch, index: number, widthColumns: number | null): readonly string[] {
  const indent = '  '.repeat(Math.min(branch.depth, MOST_INDENTS));
  const from = branch.parent === null ? '' : ` from ${String(branch.parent + 1)}`;
  const leaf = branch.hasLeaf ? ', LEAF' : '';
  const about = `${branch.isCurrent ? '*' : '-'} ${String(index + 1)}${from}: ${branch.from}..${branch.through} (${number(branch.entries)}${leaf})`;
  const marks = branch.marks.map((mark) =>
    mark.kind === 'label' ? `label ${mark.entry}: ${mark.text}` : `compaction ${mark.entry}${mark.undone ? ' (undone)' : ''}: ${mark.text}`,
  );
  return [`${indent}${about}`, ...[branch.opening, ...marks].map((text) => fit(`${indent}    ${text}`, widthColumns))];
}

const fit = (text: string, widthColumns: number | null): string =>
  widthColumns === null ? cleanLine(text) : cut(cleanLine(text), widthColumns);
