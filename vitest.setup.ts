import { countTokens } from '@palimpsest/budget';

/** The vocabulary once per test thread, so that no runtime under test starts a thread to count a few words. */
countTokens('', 'o200k_base');
