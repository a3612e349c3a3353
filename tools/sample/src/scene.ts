import type { Call, Result } from './workbench.ts';

/** What the agent does between two answers of the tools: it may think, say something, and ask for tools. */
export interface Step {
  readonly think?: string;
  readonly say?: string;
  readonly calls?: readonly Call[];
}

/** Every result so far in this turn, oldest first. */
export type Seen = readonly Result[];

/** One request of the user and the way to its answer. A step that depends on what was found is a function of it. */
export interface Turn {
  readonly ask: string;
  readonly steps: readonly (Step | ((seen: Seen) => Step))[];
  /** The model changes before this turn. */
  readonly model?: string;
}

export const bash = (command: string): Call => ({ tool: 'bash', args: { command } });
export const read = (path: string, offset?: number, limit?: number): Call => ({
  tool: 'read',
  args: { path, ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) },
});
export const write = (path: string, content: string): Call => ({ tool: 'write', args: { path, content } });
export const edit = (path: string, oldText: string, newText: string): Call => ({ tool: 'edit', args: { path, oldText, newText } });

/** The newest result's text, or that of the n-th before it. */
export const last = (seen: Seen, back = 0): string => seen.at(-1 - back)?.text ?? '';
