/** A provider on loopback: tests say what it answers, and read what it was sent. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, Delta, Model, ModelRequest } from '@palimpsest/contracts';
import { afterAll, beforeAll } from 'vitest';
import { openModel, type ModelSettings } from './open-model.ts';

export type Handler = (response: ServerResponse) => void;

export interface Loopback {
  baseUrl: string;
  answer: Handler;
  /** The bodies it was sent, in order. */
  readonly bodies: string[];
}

/** Starts before the tests of the file and ends after them. */
export function loopback(): Loopback {
  const state: Loopback = { baseUrl: '', answer: (response) => response.end(), bodies: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      state.bodies.push(Buffer.concat(chunks).toString('utf8'));
      state.answer(response);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    state.baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return state;
}

export const clock = {
  now: () => 0,
  elapsed: () => 0,
  sleep: () => Promise.resolve(),
  pause: () => Promise.resolve(),
  every: () => () => undefined,
};

export function openAt({ baseUrl }: Loopback, provider: ModelSettings['provider'], model: string): Promise<Model> {
  return openModel({ provider, model, baseUrl, apiKey: 'k' }, { clock });
}

export function json(value: unknown, status = 200): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof value === 'string' ? value : JSON.stringify(value));
  };
}

/** Server-sent events; `named` ones carry their type as the event's name too. */
export function frames(values: readonly unknown[], named = false): string {
  const name = (value: unknown): string => (named ? `event: ${(value as { type: string }).type}\n` : '');
  return values.map((value) => `${name(value)}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');
}

export function sse(values: readonly unknown[], named = false): Handler {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames(values, named));
  };
}

export const request: ModelRequest = {
  route: 'openai-chat:openai/gpt-4.1',
  system: 'Be brief.',
  settings: { maxOutputTokens: 100 },
  tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
};
export const live: { readonly signal: AbortSignal } = { signal: new AbortController().signal };

/** The same request on the model's own route. */
export function asked(model: Model, onDelta?: (delta: Delta) => void): Promise<Answer> {
  return model.call({ ...request, route: model.route }, { ...live, ...(onDelta === undefined ? {} : { onDelta }) });
}
