import { RENDERER } from '@palimpsest/contracts';
import { bind, defineModule, type Module } from '@palimpsest/wiring';
import { PlanRenderer } from './plan-renderer.ts';

export const promptModule: Module = defineModule('prompt', [bind(RENDERER).toClass(PlanRenderer)]);
