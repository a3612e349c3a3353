export { providerOf } from './plan-renderer.ts';
export { promptModule } from './module.ts';
