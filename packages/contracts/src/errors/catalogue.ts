/**
 * One factory per error code, sorted by area. Call sites name the problem; the catalogue words it. `docs/errors.md` is
 * generated from here and tested against it.
 */
import type { Json } from '../parts.ts';
import { messageOf as wholeMessageOf, PalimpsestError } from './palimpsest-error.ts';

export type At = { readonly file: string; readonly line: number; readonly column: number };
const place = (at: At | null): string => (at === null ? '' : `${at.file}:${String(at.line)}:${String(at.column)}: `);

/** What was thrown, in one line: neither the stack nor the way in which a module was required, which some messages bring along. */
const messageOf = (thrown: unknown): string => wholeMessageOf(thrown).split(/\n(?:Require stack:|\s+at )/u, 1)[0]?.replace(/\s+/gu, ' ').trim() ?? '';

export const errors = {
  // BUDGET
  budgetClosed: (): PalimpsestError => new PalimpsestError({ code: 'BUDGET_CLOSED', kind: 'session', message: 'The token counter is closed.', hint: 'Open a new runtime.' }),
  budgetWorkerFailed: (cause: unknown): PalimpsestError =>
    new PalimpsestError({
      code: 'BUDGET_WORKER_FAILED', kind: 'environment', message: `The thread that counts tokens failed: ${messageOf(cause)}. Counting goes on without it.`, details: {}, retryable: true, cause,
      hint: 'Nothing has to be done: figures stay the same, and long texts take longer.',
    }),

  // COMMAND
  /** `how`: a whole clause. */
  commandUnfinished: (how: string): PalimpsestError =>
    new PalimpsestError({
      code: 'COMMAND_UNFINISHED', kind: 'plugin', message: `The command ended before it was done: ${how}.`, details: { how },
      hint: 'Code of an engine or a plugin does that. Which one is used: palimpsest engines. What it breaks: palimpsest engine check FOLDER. What was written is safe, and the command can be run again.',
    }),

  // CONFIG
  /** `others` are the faults found beside this one, each with its own `at`, `path`, `problem` and `near`; `next` is the hint where there is a better one than the usual. */
  configInvalid: (at: At | null, path: string, problem: string, near: string | null = null, others: readonly { readonly [key: string]: Json }[] = [], next: string | null = null): PalimpsestError =>
    new PalimpsestError({
      code: 'CONFIG_INVALID', kind: 'config', message: `${place(at)}${path === '' ? '' : `${path}: `}${problem}${others.length === 0 ? '' : ` (and ${String(others.length)} more)`}`,
      details: { path, problem, ...(at === null ? {} : { file: at.file, line: at.line, column: at.column }), near, others: [...others] },
      hint: next !== null ? next : near === null ? 'All faults with their places: palimpsest config check. All keys: palimpsest config schema' : `Did you mean "${near}"?`,
    }),
  /** `what` the file is to whoever named it. */
  configUnreadable: (file: string, cause: unknown, what: 'configuration' | 'script' = 'configuration'): PalimpsestError =>
    new PalimpsestError({ code: 'CONFIG_UNREADABLE', kind: 'config', message: `Cannot read the ${what} ${file}: ${messageOf(cause)}`, details: { file }, hint: what === 'script' ? 'Name a file that exists and that you may read, under `script` of the model.' : 'Name a file that exists and that you may read, or make one: palimpsest init', cause }),

  // ENGINE, PLUGIN
  enginePlanInvalid: (engine: string, rule: string, problem: string): PalimpsestError =>
    new PalimpsestError({
      code: 'ENGINE_PLAN_INVALID', kind: 'plugin', message: `Engine ${engine}, plan: ${problem} (rule: ${rule})`, details: { engine, method: 'plan', rule }, hint: 'Report it to the author of the engine, or choose another one with `context.engine`.',
    }),
  derivedStoreFull: (key: string, most: number): PalimpsestError =>
    new PalimpsestError({ code: 'DERIVED_STORE_FULL', kind: 'plugin', message: `The engine's derived store is full: ${key} would bring it above ${String(most)} characters.`, details: { key, most }, hint: 'Clear what is no longer needed: all of it can be made again from the log.' }),
  engineFailed: (engine: string, method: string, rule: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'ENGINE_FAILED', kind: 'plugin', message: `Engine ${engine}, ${method}: ${messageOf(cause)} (rule: ${rule})`, details: { engine, method, rule }, hint: 'Report it to the author of the engine, or choose another one with `context.engine`.', cause }),
  engineNameTaken: (name: string, owner: string): PalimpsestError =>
    new PalimpsestError({ code: 'ENGINE_NAME_TAKEN', kind: 'plugin', message: `The engine name "${name}" is taken by ${owner}.`, details: { name, owner }, hint: 'Give the engine another name.' }),
  engineUnknown: (name: string, places: readonly string[]): PalimpsestError =>
    new PalimpsestError({
      code: 'ENGINE_UNKNOWN', kind: 'config', message: `No context engine "${name}" was found. Looked in: ${places.join('; ')}`, details: { name, places: [...places] },
      hint: 'Run `palimpsest engines` to see each place and why it did not answer.',
    }),
  pluginManifestInvalid: (file: string, problem: string, line: number | null = null): PalimpsestError =>
    new PalimpsestError({
      code: 'PLUGIN_MANIFEST_INVALID', kind: 'plugin', message: `${file}:${line === null ? '' : `${String(line)}:`} ${problem}`, details: { file, problem, line },
      hint: 'Correct what it says of the plugin; the README of @palimpsest/plugins lists the keys.',
    }),
  pluginLoadFailed: (name: string, file: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'PLUGIN_LOAD_FAILED', kind: 'plugin', message: `Plugin ${name}: loading ${file} failed: ${messageOf(cause)}`, details: { name, file }, hint: 'Install what is missing, or correct the module. Until then leave it out of the configuration.', cause }),
  pluginNotInstalled: (name: string, folder: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'PLUGIN_NOT_INSTALLED', kind: 'plugin', message: `Plugin ${name} is not installed in ${folder}.`, details: { name, folder }, hint: `A project names packages, it does not bring them: npm install --prefix "${folder}" ${name}`, cause }),
  pluginUnreadable: (folder: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'PLUGIN_UNREADABLE', kind: 'plugin', message: `Plugin folder ${folder} cannot be read as a whole: ${messageOf(cause)}`, details: { folder }, hint: 'A plugin is trusted by the content of all of its files: make it small and readable.', cause }),
  trustFileInvalid: (file: string, problem: string): PalimpsestError =>
    new PalimpsestError({ code: 'TRUST_FILE_INVALID', kind: 'config', message: `${file}: ${problem}`, details: { file, problem }, hint: 'Delete the file, and trust your plugins again: palimpsest engine trust NAME' }),

  // CONTEXT
  contextExhausted: (tokens: number, effective: number, parts: Readonly<Record<string, number>>): PalimpsestError =>
    new PalimpsestError({
      code: 'CONTEXT_EXHAUSTED', kind: 'session',
      message: `The request needs ${String(tokens)} tokens and at most ${String(effective)} fit. What cannot shrink: ${Object.entries(parts).map(([part, size]) => `${part} ${String(size)}`).join(', ')}`,
      details: { tokens, effective, parts: { ...parts } }, hint: 'Use a model with a larger window, or fewer and shorter tools and system text. The session stays usable.',
    }),

  // FILE
  fileUnwritable: (file: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'FILE_UNWRITABLE', kind: 'config', message: `Cannot write ${file}: ${messageOf(cause)}`, details: { file }, hint: 'Name a file in a folder that exists and that you may write to.', cause }),
  fileWriteFailed: (file: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'FILE_WRITE_FAILED', kind: 'environment', message: `Writing ${file} failed: ${messageOf(cause)}`, details: { file }, hint: 'Make room on the disk, or name a place on another one.', retryable: true, cause }),

  // HOOK
  hookFailed: (name: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'HOOK_FAILED', kind: 'plugin', message: `Hook ${name}: ${messageOf(cause)}`, details: { name }, hint: 'Correct the hook, or open the runtime without it.', cause }),

  hookRequestInvalid: (name: string, rule: string, problem: string): PalimpsestError =>
    new PalimpsestError({
      code: 'HOOK_REQUEST_INVALID', kind: 'plugin', message: `Hook ${name}: its request cannot be sent and is left out: ${problem} (rule: ${rule})`, details: { name, rule },
      hint: 'Correct the hook, or let it return null where it changes nothing.',
    }),

  // INPUT
  /** `field` is its path, empty for the input itself. */
  inputInvalid: (field: string, problem: string): PalimpsestError =>
    new PalimpsestError({
      code: 'INPUT_INVALID', kind: 'config', message: `This cannot be said to a session: ${field === '' ? '' : `${field}: `}${problem}. Nothing was written.`, details: { field, problem },
      hint: /\.(?:image|data)$/u.test(field)
        ? 'Give an image or a file as base64 text or as a URL, for bytes: Buffer.from(bytes).toString("base64").'
        : 'Say text, or { content, origin? }: content is text or a list of text, image and file parts; origin is user_input, continuation, notice or observation.',
    }),

  // LEASE, LOG, SESSION
  sessionBusy: (session: string, heldBy: string, untilMs: number): PalimpsestError =>
    new PalimpsestError({
      code: 'SESSION_BUSY', kind: 'session', message: `Session ${session} is being written by ${heldBy}.`, details: { session, heldBy, untilMs }, retryable: true,
      hint: 'Wait for the other process, or open another session.',
    }),
  sessionClosed: (session: string): PalimpsestError =>
    new PalimpsestError({ code: 'SESSION_CLOSED', kind: 'session', message: `Session ${session} is closed.`, details: { session }, hint: 'Open it again: nothing of it is lost.' }),
  sessionExists: (session: string): PalimpsestError =>
    new PalimpsestError({ code: 'SESSION_EXISTS', kind: 'config', message: `The store has session ${session}, or entries of it, already. Nothing was written.`, details: { session }, hint: 'Give the copy a name of its own: --as ID' }),
  logLeafMoved: (session: string, expected: string | null, actual: string | null): PalimpsestError =>
    new PalimpsestError({
      code: 'LOG_LEAF_MOVED', kind: 'session', message: `Session ${session} changed meanwhile: expected its leaf to be ${String(expected)}, found ${String(actual)}. Nothing was written.`,
      details: { session, expected, actual }, retryable: true, hint: 'Somebody else wrote to it: look at what was added, then repeat.',
    }),
  logFenceStale: (session: string, fence: number | null, actual: number): PalimpsestError =>
    new PalimpsestError({ code: 'LOG_FENCE_STALE', kind: 'session', message: `Session ${session} is held by another writer (fence ${String(actual)}, ours ${String(fence)}). Nothing was written.`, details: { session, fence, actual }, hint: 'Wait until the other writer is done, then open the session again.' }),
  logSessionUnknown: (session: string): PalimpsestError =>
    new PalimpsestError({ code: 'LOG_SESSION_UNKNOWN', kind: 'config', message: `There is no session ${session}.`, details: { session }, hint: 'Run `palimpsest sessions list`.' }),
  logEntryUnknown: (session: string, entry: string): PalimpsestError =>
    new PalimpsestError({ code: 'LOG_ENTRY_UNKNOWN', kind: 'config', message: `Session ${session} has no entry ${entry}.`, details: { session, entry }, hint: `Its entries: palimpsest sessions show ${session}` }),
  logIdTaken: (id: string): PalimpsestError => new PalimpsestError({ code: 'LOG_ID_TAKEN', kind: 'internal', message: `An entry ${id} exists already. Nothing was written.`, details: { id } }),
  loopNoTurn: (): PalimpsestError => new PalimpsestError({ code: 'LOOP_NO_TURN', kind: 'session', message: 'No turn is open.', hint: 'Call `session.loop.submit` first: each turn begins with it, also after one that failed.' }),
  loopStepUnknown: (step: string): PalimpsestError =>
    new PalimpsestError({ code: 'LOOP_STEP_UNKNOWN', kind: 'session', message: `Step ${step} was superseded, or recorded before.`, details: { step }, hint: 'Record the step of the newest `prepare`, once.' }),
  loopCallUnknown: (call: string): PalimpsestError => new PalimpsestError({ code: 'LOOP_CALL_UNKNOWN', kind: 'session', message: `No open call ${call}.`, details: { call }, hint: 'Results go to the calls of the reply recorded last, one each.' }),
  /** `problem` begins with the path of the field. */
  loopAnswerInvalid: (problem: string): PalimpsestError =>
    new PalimpsestError({
      code: 'LOOP_ANSWER_INVALID', kind: 'session', message: `What was recorded is no answer of a model: ${problem}. Nothing was written; the step is still open.`, details: { problem },
      hint: 'Record { reply: an assistant message, usage? } or { error: a model fault, or anything that was thrown }.',
    }),
  undoNothing: (): PalimpsestError => new PalimpsestError({ code: 'UNDO_NOTHING', kind: 'session', message: 'There is no compaction or reduction to lift.', hint: 'What was made room for on another path: palimpsest sessions tree SESSION' }),
  undoDoesNotFit: (tokens: number, effective: number): PalimpsestError =>
    new PalimpsestError({ code: 'UNDO_DOES_NOT_FIT', kind: 'session', message: `Lifted, the view would need ${String(tokens)} tokens and ${String(effective)} fit. Nothing was changed.`, details: { tokens, effective }, hint: 'Use a model with a larger window, or fork the session from before it: palimpsest sessions fork SESSION' }),
  /** @param steps on its current path; null: not looked for. */
  whyNoStep: (session: string, asked: string | null, steps: number | null = null): PalimpsestError =>
    new PalimpsestError({
      code: 'WHY_NO_STEP', kind: 'config', message: `Session ${session} has no step${asked === null ? ' yet' : ` ${asked}`}.`, details: { session, asked },
      hint: steps === null || steps === 0 ? `Steps come with turns; what there is: palimpsest sessions show ${session}` : `Its path has the steps 1 to ${String(steps)}.`,
    }),

  // MODEL
  modelUnknown: (name: string, known: readonly string[]): PalimpsestError =>
    new PalimpsestError({ code: 'MODEL_UNKNOWN', kind: 'config', message: `No model "${name}". Known: ${known.length === 0 ? 'none' : known.join(', ')}`, details: { name, known: [...known] }, hint: 'Name one under `models` and pick it with `agent.model`.' }),
  modelFailed: (route: string, kind: string, problem: string): PalimpsestError =>
    new PalimpsestError({
      code: 'MODEL_FAILED', kind: 'environment', message: `${route}: ${problem} (${kind})`, details: { route, fault: kind },
      hint: kind === 'auth' ? 'Give the model a key that is valid and may use it: `api_key: ${env:NAME}` under `models`, or the variable that the provider usually reads.' : 'Check key, quota and model name of this provider; a limit, an overload or the network may pass by itself.',
      retryable: kind === 'rate_limit' || kind === 'overloaded' || kind === 'network',
    }),
  modelRequestInvalid: (route: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'MODEL_REQUEST_INVALID', kind: 'internal', message: `${route}: the provider package refuses the request: ${messageOf(cause)}`, details: { route }, cause }),

  // NODE
  nodeUnsupported: (found: string, least: string): PalimpsestError =>
    new PalimpsestError({
      code: 'NODE_UNSUPPORTED', kind: 'environment', message: `Palimpsest needs Node.js ${least} or newer; this is ${found}.`, details: { found, least },
      hint: 'Install a newer Node.js. In this repository npm scripts and npx run on the one it brings.',
    }),

  // RUNTIME
  runtimeClosed: (): PalimpsestError =>
    new PalimpsestError({ code: 'RUNTIME_CLOSED', kind: 'session', message: 'The runtime is closed.', hint: 'Make another one with `createRuntime`: nothing of its sessions is lost.' }),

  // STORE
  storeOpenFailed: (file: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'STORE_OPEN_FAILED', kind: 'environment', message: `Cannot open the store ${file}: ${messageOf(cause)}`, details: { file }, hint: 'Run `palimpsest doctor` to see what is wrong.', cause }),
  storeFailed: (operation: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'STORE_FAILED', kind: 'environment', message: `Store, ${operation}: ${messageOf(cause)}`, details: { operation }, retryable: true, hint: 'Run `palimpsest doctor` to see what is wrong.', cause }),
  storeDamaged: (problem: string): PalimpsestError =>
    new PalimpsestError({ code: 'STORE_DAMAGED', kind: 'environment', message: `The store's file is damaged: ${problem}`, details: { problem }, hint: 'Save what can be read (palimpsest sessions export SESSION -o FILE), and restore the file from a backup.' }),
  storeClosed: (): PalimpsestError => new PalimpsestError({ code: 'STORE_CLOSED', kind: 'session', message: 'The store is closed.', hint: 'Open a new runtime.' }),
  storeTooNew: (file: string, found: number, known: number): PalimpsestError =>
    new PalimpsestError({ code: 'STORE_TOO_NEW', kind: 'environment', message: `${file} has schema ${String(found)}; this version knows up to ${String(known)}.`, details: { file, found, known }, hint: 'Update Palimpsest.' }),

  // TOOL
  toolNameTaken: (name: string): PalimpsestError =>
    new PalimpsestError({ code: 'TOOL_NAME_TAKEN', kind: 'config', message: `Two tools are called "${name}" (as a model is told).`, details: { name }, hint: 'Rename one of them.' }),
  /** `hosts`: the host has a tool of that name. */
  toolUnknown: (name: string, known: readonly string[], hosts = false): PalimpsestError =>
    new PalimpsestError({
      code: 'TOOL_UNKNOWN', kind: 'session', message: `${hosts ? `"${name}" is a tool of the host's own` : `No tool "${name}"`}.`, details: { name, known: [...known] },
      hint: `${hosts ? 'Run it yourself: only a turn runs it, behind its guards. ' : ''}${known.length === 0 ? 'None is offered here.' : `Offered here: ${known.join(', ')}`}`,
    }),

  // TRANSCRIPT
  transcriptLineInvalid: (file: string, line: number, problem: string): PalimpsestError =>
    new PalimpsestError({ code: 'TRANSCRIPT_LINE_INVALID', kind: 'config', message: `${file}, line ${String(line)}: ${problem}. Nothing was imported.`, details: { file, line, problem }, hint: 'Correct that line, or export the session again.' }),
  transcriptUnreadable: (file: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'TRANSCRIPT_UNREADABLE', kind: 'config', message: `Cannot read ${file}: ${messageOf(cause)}`, details: { file }, hint: 'Name a session file that exists and that you may read.', cause }),
  /** `asked`: the format that was named, if one was. `known`: those that could be. */
  transcriptUnknownFormat: (file: string, seen: string, asked: string | null = null, known: readonly string[] = []): PalimpsestError =>
    new PalimpsestError({
      code: 'TRANSCRIPT_UNKNOWN_FORMAT', kind: 'config', message: `${file} is no session file of ${asked === null ? 'a known format' : `format ${asked}`}. Seen: ${seen}`, details: { file, seen, asked },
      hint: asked === null ? `Force one with --format if you know it${known.length === 0 ? '' : `: ${known.join(', ')}`}.` : 'Leave --format out: the content tells the format. Or name another one.',
    }),
  transcriptUnsupported: (file: string, what: string): PalimpsestError =>
    new PalimpsestError({ code: 'TRANSCRIPT_UNSUPPORTED', kind: 'config', message: `${file}: ${what}`, details: { file, what }, hint: 'Export the session as JSON or JSONL first.' }),
  transcriptTorn: (file: string, byte: number): PalimpsestError =>
    new PalimpsestError({ code: 'TRANSCRIPT_TORN', kind: 'environment', message: `${file}: the document ends in its middle, at byte ${String(byte)}. Nothing was imported.`, details: { file, byte }, hint: 'Copy or export the file again, whole.' }),

  // USAGE
  usageInvalid: (problem: string, hint?: string): PalimpsestError => new PalimpsestError({ code: 'USAGE_INVALID', kind: 'config', message: problem, ...(hint === undefined ? {} : { hint }) }),

  // WIRING
  wiringInvalid: (problems: readonly string[]): PalimpsestError =>
    new PalimpsestError({ code: 'WIRING_INVALID', kind: 'internal', message: `The wiring has ${String(problems.length)} fault(s):\n${problems.map((problem) => `- ${problem}`).join('\n')}`, details: { problems: [...problems] }, hint: 'Each line names a token, and the module that binds or needs it.' }),
  wiringCreateFailed: (token: string, cause: unknown): PalimpsestError =>
    new PalimpsestError({ code: 'WIRING_CREATE_FAILED', kind: 'internal', message: `Creating ${token} failed: ${messageOf(cause)}`, details: { token }, cause }),
  wiringClosed: (scope: string): PalimpsestError => new PalimpsestError({ code: 'WIRING_CLOSED', kind: 'internal', message: `The ${scope} scope is closed.`, details: { scope }, hint: 'Open a new one.' }),
  closeFailed: (what: string, faults: readonly unknown[]): PalimpsestError =>
    new PalimpsestError({ code: 'CLOSE_FAILED', kind: 'environment', message: `Closing ${what}: ${faults.map(messageOf).join('; ')}`, details: { faults: faults.map(messageOf) }, hint: 'What was written is safe. Run `palimpsest doctor` to see what is wrong.', cause: faults[0] }),
} satisfies Record<string, (...input: never[]) => PalimpsestError>;

