/** Whose words a text in role user is. Agents put reminders beside results; without a marker it is the user's. */
import { tellText, type Told } from '../claude-code/origins.ts';

const told = (text: string): Told =>
  /^\s*<system-reminder>/u.test(text) ? { origin: 'notice' } : (tellText(text) ?? { origin: 'user_input' });

/** One typed text makes the message a request; else the first text decides. */
export function tellTexts(texts: readonly string[]): Told | null {
  const each = texts.map(told);
  return each.find((one) => one.origin === 'user_input') ?? each[0] ?? null;
}
