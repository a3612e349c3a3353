import { countTokens } from '@palimpsest/budget';

declare module 'vitest' {
  interface ProvidedContext {
    /** The long run, `npm run soak`. */
    readonly soak: boolean;
  }
}

/** The vocabulary once per test thread, so that no runtime under test starts a thread to count a few words. */
countTokens('', 'o200k_base');
