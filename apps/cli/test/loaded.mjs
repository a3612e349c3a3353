import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Imported before the command: names each package that it loads, on stderr.
const names = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/(?:node_modules|packages|apps)\/((?:@[^/]+\/)?[^/]+)/u.exec(url) ?? [];
    if (name !== undefined) names.add(name);
    return next(url, context);
  },
});
process.on('exit', () => {
  writeSync(2, JSON.stringify([...names].sort()));
});
