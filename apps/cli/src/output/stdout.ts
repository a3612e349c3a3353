let begun = false;

/** All that goes to stdout. */
export function out(text: string): boolean {
  begun = true;
  return process.stdout.write(text);
}

/** Something went to stdout already: nothing else may stand there that is to be read as a whole. */
export function hasBegun(): boolean {
  return begun;
}
