/** How a person is asked. One of them is made at a time; {@link close} gives the terminal back. */
export interface Questions {
  choose<T extends string>(question: string, choices: readonly { readonly value: T; readonly about: string }[]): Promise<T>;
  /** An empty answer means `initial`. `problem` says what is wrong with an answer; null: nothing. */
  text(question: string, ask: { readonly initial: string; readonly problem: (answer: string) => string | null }): Promise<string>;
  close(): void;
}
