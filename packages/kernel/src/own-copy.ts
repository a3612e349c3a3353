/**
 * What a host or a model handed over, as the log will hold it: theirs stays theirs to reuse and change, and what becomes part of an entry can
 * be frozen. Whatever JSON has no word for is lost here as it would be in the log. @throws TypeError for what cannot be written as JSON.
 */
export function ownCopy<T extends object>(given: T): T {
  return JSON.parse(JSON.stringify(given)) as T;
}
