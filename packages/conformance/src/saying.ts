/** What an engine answered, as text. It may be anything: this does not throw. */
export function answerText(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? '';
  } catch {
    return '';
  }
}
