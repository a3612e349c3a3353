import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const typed = (...rules) => Object.fromEntries(rules.map((rule) => [`@typescript-eslint/${rule}`, 'error']));

/** What needs types, or has a maintained rule. Structure, sizes and names are checked by tools/boundaries. */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', 'tools/*/planted/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { project: ['./tsconfig.tests.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      'max-lines': ['error', 400],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      ...typed(
        'consistent-type-imports',
        'consistent-type-exports',
        'explicit-module-boundary-types',
        'no-explicit-any',
        'no-non-null-assertion',
      ),
      ...typed('await-thenable', 'no-floating-promises', 'no-misused-promises', 'only-throw-error', 'prefer-promise-reject-errors'),
      ...typed('no-unsafe-assignment', 'no-unsafe-argument', 'no-unsafe-call', 'no-unsafe-member-access', 'no-unsafe-return'),
      ...typed('no-unnecessary-type-assertion', 'restrict-plus-operands', 'no-for-in-array', 'no-implied-eval'),
    },
  },
  {
    files: ['**/*.test.ts', '**/*.test-d.ts', '**/*.test-support.ts', '**/test/**/*.ts'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    files: ['**/*.test-d.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: { process: 'readonly', URL: 'readonly', console: 'readonly' } } },
);
