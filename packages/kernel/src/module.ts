import { EVENTS, GUARDED_ENGINE, INBOX, JOURNAL, TOOLBOX, VIEWS } from '@palimpsest/contracts';
import { bind, defineModule, type Module } from '@palimpsest/wiring';
import { DraftWriter } from './drafts.ts';
import { EngineGuard } from './engine/guard.ts';
import { EventBus } from './event-bus.ts';
import { SessionInbox } from './inbox.ts';
import { LeasedJournal } from './journal.ts';
import { DRAFTS, KERNEL_ENGINE, KERNEL_INBOX, KERNEL_JOURNAL, KERNEL_VIEWS, PROMPT_KEEPER, REQUEST_HOOKS } from './kernel-tokens.ts';
import { PromptKeeper } from './prompt-keeper.ts';
import { RequestHooks } from './request-hooks.ts';
import { GuardedToolbox } from './toolbox.ts';
import { turnKit } from './turn-kit.ts';
import { viewParts } from './view-parts.ts';
import { RenderedViews } from './views.ts';

export const kernelModule: Module = defineModule('kernel', [
  bind(EVENTS).toClass(EventBus),
  bind(KERNEL_INBOX).toClass(SessionInbox),
  bind(INBOX).toFactory([KERNEL_INBOX], (inbox) => inbox),
  bind(DRAFTS).toClass(DraftWriter),
  bind(KERNEL_JOURNAL).toClass(LeasedJournal),
  bind(JOURNAL).toFactory([KERNEL_JOURNAL], (journal) => journal),
  bind(KERNEL_ENGINE).toClass(EngineGuard).closing((guard) => guard.close()),
  bind(GUARDED_ENGINE).toFactory([KERNEL_ENGINE], (guard) => guard),
  bind(TOOLBOX).toClass(GuardedToolbox),
  bind(PROMPT_KEEPER).toClass(PromptKeeper),
  bind(REQUEST_HOOKS).toClass(RequestHooks),
  viewParts,
  bind(KERNEL_VIEWS).toClass(RenderedViews),
  bind(VIEWS).toFactory([KERNEL_VIEWS], (views) => views),
  turnKit,
]);
