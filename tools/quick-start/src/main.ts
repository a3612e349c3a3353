import { bundled } from './bundle.ts';

await bundled(true);
