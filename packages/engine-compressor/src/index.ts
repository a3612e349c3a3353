export { compressor } from './compressor.ts';
export { structuredSummary } from './summary/structured.ts';
export type { StructuredSummaryAsk } from './summary/structured.ts';
export { redact } from './summary/redact.ts';
