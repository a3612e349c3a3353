import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

// What Node 20 has of `node:module`, for the runtime's own modules: an import of anything newer does not link.
const older = `
  import { registerHooks } from 'node:module';
  const then = 'data:text/javascript,' + encodeURIComponent("export { builtinModules, createRequire, default, isBuiltin } from 'node:module'");
  const resolve = (specifier, context, next) => (specifier === 'node:module' && context.parentURL?.startsWith('file:') ? { url: then, format: 'module', shortCircuit: true } : next(specifier, context));
  registerHooks({ resolve });
  Object.defineProperty(process, 'version', { value: 'v20.20.2' });
`;

it('a host on an older Node is told so', () => {
  const entry = JSON.stringify(new URL('../dist/index.js', import.meta.url).href);
  const told = `await import(${entry}).then((runtime) => runtime.createRuntime()).then(() => 'runs', (error) => error.code ?? error.message).then(console.log)`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, '--input-type=module', '-e', told];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } })).toBe('NODE_UNSUPPORTED\n');
});
