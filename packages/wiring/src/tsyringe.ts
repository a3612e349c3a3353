/** The one door to tsyringe, so that the polyfill it looks for on loading is always there first. */
import 'reflect-metadata';

export { container, inject, injectable, Lifecycle } from 'tsyringe';
export type { DependencyContainer } from 'tsyringe';
