export { toPrompt, ANTHROPIC_MAX_OUTPUT_TOKENS } from './to-prompt.ts';
export type { PromptOptions } from './to-prompt.ts';
export { parseRoute } from './route.ts';
export type { Route } from './route.ts';
export { openWire } from './wires.ts';
export { ReplayModel } from './replay-model.ts';
export { ScriptedModel, scriptedReply } from './scripted-model.ts';
export type { ScriptedReply, ScriptedOptions } from './scripted-model.ts';
