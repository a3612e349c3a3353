import { describe, expect, it } from 'vitest';
import { errors } from './catalogue.ts';
import type { PalimpsestError } from './palimpsest-error.ts';

const cause = new Error('disk full');

/** One of each: a factory without a sample does not compile. */
const samples: Readonly<Record<keyof typeof errors, PalimpsestError>> = {
  budgetClosed: errors.budgetClosed(),
  budgetWorkerFailed: errors.budgetWorkerFailed(cause),
  commandUnfinished: errors.commandUnfinished('it was ended'),
  configInvalid: errors.configInvalid({ file: 'p.yaml', line: 1, column: 2 }, 'a.b', 'is no number'),
  configUnreadable: errors.configUnreadable('p.yaml', cause),
  enginePlanInvalid: errors.enginePlanInvalid('e@1', 'not-whole', 'ends early'),
  derivedStoreFull: errors.derivedStoreFull('k', 9),
  engineFailed: errors.engineFailed('e@1', 'plan', 'throws', cause),
  engineNameTaken: errors.engineNameTaken('e', 'another'),
  engineUnknown: errors.engineUnknown('e', ['registry']),
  pluginManifestInvalid: errors.pluginManifestInvalid('plugin.yaml', 'name is missing', 3),
  pluginLoadFailed: errors.pluginLoadFailed('p', 'main.js', cause),
  pluginNotInstalled: errors.pluginNotInstalled('p', '/home/me/.palimpsest', cause),
  pluginUnreadable: errors.pluginUnreadable('p', cause),
  trustFileInvalid: errors.trustFileInvalid('t.json', 'no JSON'),
  contextExhausted: errors.contextExhausted(9, 8, { user: 9 }),
  fileUnwritable: errors.fileUnwritable('f', cause),
  fileWriteFailed: errors.fileWriteFailed('f', cause),
  hookFailed: errors.hookFailed('h', cause),
  hookRequestInvalid: errors.hookRequestInvalid('h', 'pair-cut', 'c has no result'),
  inputInvalid: errors.inputInvalid('content', 'neither text nor a list of parts'),
  sessionBusy: errors.sessionBusy('s', 'me', 1),
  sessionClosed: errors.sessionClosed('s'),
  sessionExists: errors.sessionExists('s'),
  logLeafMoved: errors.logLeafMoved('s', 'a', null),
  logFenceStale: errors.logFenceStale('s', null, 2),
  logSessionUnknown: errors.logSessionUnknown('s'),
  logEntryUnknown: errors.logEntryUnknown('s', 'e'),
  logIdTaken: errors.logIdTaken('e'),
  loopNoTurn: errors.loopNoTurn(),
  loopStepUnknown: errors.loopStepUnknown('step-1'),
  loopCallUnknown: errors.loopCallUnknown('c'),
  loopAnswerInvalid: errors.loopAnswerInvalid('no reply'),
  undoNothing: errors.undoNothing(),
  undoDoesNotFit: errors.undoDoesNotFit(9, 8),
  whyNoStep: errors.whyNoStep('s', null),
  modelUnknown: errors.modelUnknown('m', []),
  modelFailed: errors.modelFailed('r', 'auth', 'no key'),
  modelRequestInvalid: errors.modelRequestInvalid('r', cause),
  nodeUnsupported: errors.nodeUnsupported('22', '20'),
  runtimeClosed: errors.runtimeClosed(),
  storeOpenFailed: errors.storeOpenFailed('f', cause),
  storeFailed: errors.storeFailed('append', cause),
  storeClosed: errors.storeClosed(),
  storeDamaged: errors.storeDamaged('p'),
  storeTooNew: errors.storeTooNew('f', 3, 2),
  toolNameTaken: errors.toolNameTaken('t'),
  toolUnknown: errors.toolUnknown('t', ['u']),
  transcriptLineInvalid: errors.transcriptLineInvalid('f', 3, 'no JSON'),
  transcriptUnreadable: errors.transcriptUnreadable('f', cause),
  transcriptUnknownFormat: errors.transcriptUnknownFormat('f', '{}'),
  transcriptUnsupported: errors.transcriptUnsupported('f', 'a database'),
  transcriptTorn: errors.transcriptTorn('f', 7),
  usageInvalid: errors.usageInvalid('--window x: not a number', 'Give tokens.'),
  wiringInvalid: errors.wiringInvalid(['a is bound twice']),
  wiringCreateFailed: errors.wiringCreateFailed('t', cause),
  wiringClosed: errors.wiringClosed('host'),
  closeFailed: errors.closeFailed('host', [cause]),
};
const all = Object.entries(samples);

describe('the catalogue', () => {
  it('has a code of its own for each problem, in the form AREA_PROBLEM', () => {
    const codes = all.map(([, { code }]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)+$/u);
  });

  it.each(all.filter(([, { kind }]) => kind !== 'internal'))('says in %s what to do next', (_name, { hint }) => {
    expect(hint).toMatch(/\S{2,}/u);
  });

  it.each(all)('gives %s as plain data, without stack or cause', (_name, error) => {
    const { code, kind, message, details, hint, retryable } = error;
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code, kind, message, details, hint, retryable });
    expect(message).not.toMatch(/undefined|\[object/u);
  });

  it('says what the file was, which formats there are, and what to do about a key', () => {
    const [script, config] = [errors.configUnreadable('s.json', cause, 'script'), errors.configUnreadable('p.yaml', cause)];
    expect([script.message, script.hint]).toEqual([expect.stringContaining('the script s.json'), expect.stringContaining('`script`')]);
    expect([config.message, config.hint]).toEqual([expect.stringContaining('the configuration p.yaml'), expect.stringContaining('init')]);
    expect(errors.transcriptUnknownFormat('f', '{}', null, ['pi', 'codex']).hint).toBe(
      'Force one with --format if you know it: pi, codex.',
    );
    const [refused, spent] = ['auth', 'quota'].map((kind) => errors.modelFailed('a:b/c', kind, 'no').hint);
    expect([refused?.includes('api_key'), spent?.includes('quota')]).toEqual([true, true]);
  });

  it('says of bytes how they are given', () => {
    expect(errors.inputInvalid('content[0].image', 'x').hint).toMatch(/base64 text or as a URL/u);
    expect(errors.inputInvalid('content[0].data', 'x').hint).toMatch(/base64/u);
    expect(errors.inputInvalid('origin', 'x').hint).toMatch(/notice/u);
  });

  it("says why a host's own tool is not run", () => {
    expect(errors.toolUnknown('mine', ['recall'], true)).toMatchObject({
      message: '"mine" is a tool of the host\'s own.',
      hint: expect.stringMatching(/Run it yourself.*Offered here: recall/u) as string,
    });
  });

  it('says in one line what was thrown, and how neither a stack nor a requirement goes on', () => {
    const thrown = new Error("Cannot find module 'x'\nRequire stack:\n- /home/me/palimpsest.yaml");
    expect(errors.pluginLoadFailed('x', 'x', thrown).message).toBe("Plugin x: loading x failed: Cannot find module 'x'");
    expect(errors.engineFailed('e@1', 'plan', 'throws', new Error('a\n  b\n    at f (file.js:1:2)')).message).toBe(
      'Engine e@1, plan: a b (rule: throws)',
    );
  });
});
