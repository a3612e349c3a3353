import type { Message, ModelRequest } from '@palimpsest/contracts';
import type { DraftWriter } from './drafts.ts';
import type { PromptKeeper } from './prompt-keeper.ts';
import { changedIn, type RequestEdit } from './request-edit.ts';

/** By how many tokens an edit changes a request; below zero: it is shorter now. Counted as entries are: an image costs the same flat figure. */
export async function editTokens(
  parts: { readonly drafts: DraftWriter; readonly prompts: PromptKeeper },
  edit: RequestEdit,
  rendered: ModelRequest,
): Promise<number> {
  const { put, left } = changedIn(edit, rendered);
  const [more, less, prompt] = await Promise.all([
    sum(parts.drafts, put),
    sum(parts.drafts, left),
    promptTokens(parts.prompts, edit, rendered),
  ]);
  return more - less + prompt;
}

async function sum(drafts: DraftWriter, messages: readonly Message[]): Promise<number> {
  const counts = await Promise.all(messages.map((message) => drafts.messageTokens(message)));
  return counts.reduce((all, one) => all + one, 0);
}

async function promptTokens(prompts: PromptKeeper, edit: RequestEdit, { system, tools }: ModelRequest): Promise<number> {
  if (edit.system === undefined && edit.tools === undefined) return 0;
  const [now, before] = await Promise.all([prompts.count(edit.system ?? system, edit.tools ?? tools), prompts.count(system, tools)]);
  return now.systemTokens + now.toolsTokens - before.systemTokens - before.toolsTokens;
}
