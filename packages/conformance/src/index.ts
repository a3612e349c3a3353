export { checkEngine } from './check-engine.ts';
export type { CheckOptions } from './run-check.ts';
export { GROUPS } from './report.ts';
export type { CheckResult, ConformanceReport, Fault, GroupName } from './report.ts';
export { reportText } from './report-text.ts';
