/** Conversations on their way into a session's log. */
import type { Draft } from '@palimpsest/contracts';
import type { OpenedSession } from '@palimpsest/runtime';
import { messagesOf, type Step } from './conversations.ts';

type Kit = OpenedSession['kit'];
const BATCH = 2_000;

/** Appends them under the session's lease; the store writes some while the next are counted. */
export async function grown(kit: Kit, steps: readonly Step[]): Promise<void> {
  const hold = await kit.journal.hold();
  try {
    const prompt = await kit.views.changeDrafts(null);
    await kit.journal.append(prompt.drafts, prompt.artifacts);
    let writing: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < steps.length; at += BATCH) {
      const [drafts] = await Promise.all([drafted(kit, steps.slice(at, at + BATCH)), writing]);
      writing = kit.journal.append(drafts);
    }
    await writing;
  } finally {
    await hold.release();
  }
}

async function drafted(kit: Kit, steps: readonly Step[]): Promise<readonly Draft[]> {
  return (await Promise.all(steps.map((step) => draftsOf(kit, step)))).flat();
}

async function draftsOf(kit: Kit, step: Step): Promise<readonly Draft[]> {
  const messages = messagesOf(step);
  const newest = kit.journal.marks.first;
  if (messages === null) return newest === null ? [] : [kit.drafts.plain({ kind: 'label', target: newest, label: 'a name' }, null)];
  const written = await Promise.all(messages.map(({ message, origin }) => kit.drafts.message(message, origin, null)));
  // As in a session: before each reply stands its step, which no model is shown.
  return step.kind === 'reply' || step.kind === 'tools'
    ? [kit.drafts.plain({ kind: 'custom', by: 'conformance', key: 'step', data: null, shown: null }, null), ...written]
    : written;
}
