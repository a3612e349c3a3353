/** Tokens of services that only the kernel itself reaches. */
import { sessionToken } from '@palimpsest/contracts';
import type { DraftWriter } from './drafts.ts';
import type { EngineGuard } from './engine/guard.ts';
import type { LeasedJournal } from './journal.ts';
import type { RequestHooks } from './request-hooks.ts';
import type { PromptKeeper } from './prompt-keeper.ts';
import type { SessionInbox } from './inbox.ts';
import type { RenderedViews } from './views.ts';

export const KERNEL_JOURNAL = sessionToken<LeasedJournal>('kernel.leased-journal');
export const KERNEL_ENGINE = sessionToken<EngineGuard>('kernel.engine-guard');
export const KERNEL_VIEWS = sessionToken<RenderedViews>('kernel.rendered-views');
export const KERNEL_INBOX = sessionToken<SessionInbox>('kernel.session-inbox');
export const DRAFTS = sessionToken<DraftWriter>('kernel.drafts');
export const PROMPT_KEEPER = sessionToken<PromptKeeper>('kernel.prompt-keeper');
export const REQUEST_HOOKS = sessionToken<RequestHooks>('kernel.request-hooks');
