const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** What a command printed, without what differs between machines and runs: folders, durations, clocks, colours. */
export function clean(text: string, folders: readonly string[]): string {
  const placed = [...folders]
    .sort((left, right) => right.length - left.length)
    .reduce((all, folder) => all.replaceAll(folder, '/project'), text);
  return placed
    .replaceAll(COLOUR, '')
    .replaceAll(/file:\/\/\/project/g, '/project')
    .replaceAll(/(?<![\w.@/-])\/(?:work|root|home|tmp)(?=[/"'`\s)]|$)(?:\/(?:main|dev|user))?/gm, '/project')
    .split('\n')
    .filter((line) => !/^\s*(Start at|Duration)\s|A complete log of this run|npm notice|^\s*at .*node:internal|^Node\.js v/.test(line))
    .map((line) => line.replace(/\s+\d+(\.\d+)?\s?ms$/, '').trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
