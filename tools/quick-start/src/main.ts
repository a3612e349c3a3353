import { bundled } from './bundle.ts';

await bundled('runtime', true);
await bundled('command', true);
