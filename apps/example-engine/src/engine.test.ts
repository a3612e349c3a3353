import { conformance } from '@palimpsest/conformance/vitest';
import turnDiary from './engine.ts';

conformance(turnDiary);
