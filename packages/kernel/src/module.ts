import { EVENTS, GUARDED_ENGINE, INBOX, JOURNAL, TOOLBOX, VIEWS } from '@palimpsest/contracts';
import { bind, defineModule, type Module } from '@palimpsest/wiring';
import { DRAFTS, DraftWriter } from './drafts.ts';
import { KERNEL_ENGINE, EngineGuard } from './engine/guard.ts';
import { EventBus } from './event-bus.ts';
import { KERNEL_INBOX, SessionInbox } from './inbox.ts';
import { INPUT_ON_DISK, InputOnDisk } from './input-on-disk.ts';
import { KERNEL_JOURNAL, LeasedJournal } from './journal.ts';
import { PROMPT_KEEPER, PromptKeeper } from './prompt-keeper.ts';
import { REQUEST_HOOKS, RequestHooks } from './request-hooks.ts';
import { SESSION_LEASE, SessionLease } from './session-lease.ts';
import { GuardedToolbox } from './toolbox.ts';
import { turnKit } from './turn-kit.ts';
import { viewParts } from './view-parts.ts';
import { KERNEL_VIEWS, RenderedViews } from './views.ts';

export const kernelModule: Module = defineModule('kernel', [
  bind(EVENTS).toClass(EventBus),
  bind(KERNEL_INBOX).toClass(SessionInbox),
  bind(INBOX).toFactory([KERNEL_INBOX], (inbox) => inbox),
  bind(DRAFTS).toClass(DraftWriter),
  bind(INPUT_ON_DISK).toClass(InputOnDisk),
  bind(SESSION_LEASE).toClass(SessionLease),
  bind(KERNEL_JOURNAL).toClass(LeasedJournal),
  bind(JOURNAL).toFactory([KERNEL_JOURNAL], (journal) => journal),
  bind(KERNEL_ENGINE)
    .toClass(EngineGuard)
    .closing((guard) => guard.close()),
  bind(GUARDED_ENGINE).toFactory([KERNEL_ENGINE], (guard) => guard),
  bind(TOOLBOX).toClass(GuardedToolbox),
  bind(PROMPT_KEEPER).toClass(PromptKeeper),
  bind(REQUEST_HOOKS).toClass(RequestHooks),
  viewParts,
  bind(KERNEL_VIEWS).toClass(RenderedViews),
  bind(VIEWS).toFactory([KERNEL_VIEWS], (views) => views),
  turnKit,
]);
