/** Bodies and responses that were recorded on the wire. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../test/building.ts';
import type { FormatName, TranscriptReport } from './index.ts';

const corpora = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));
const present = existsSync(`${corpora}wire-pydantic-ai/index.json`);
if (!present) console.warn('The recorded bodies are absent: they are NOT tested.');
afterAll(() => {
  scratch.remove();
});

type Json = Readonly<Record<string, unknown>>;
interface Exchange {
  readonly request: { readonly uri: string; readonly body: Json };
  readonly response: { readonly status: number; readonly body: unknown };
}
const parsed = (path: string): unknown => {
  const bytes = readFileSync(path);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as unknown;
};
const files = (folder: string): string[] =>
  present
    ? readdirSync(corpora + folder)
        .filter((file) => /\.json(?:\.gz)?$/u.test(file) && file !== 'index.json')
        .map((file) => `${corpora}${folder}/${file}`)
    : [];
const cassettes: readonly (readonly Exchange[])[] = files('wire-pydantic-ai').map((path) => parsed(path) as Exchange[]);
const sent = (test: RegExp): Exchange[] =>
  cassettes.flat().filter(({ request }) => test.test(request.uri) && typeof request.body === 'object');
const anthropic = sent(/anthropic\.com\/v1\/messages|amazonaws\.com\/model\/.*anthropic/u);
const responses = sent(/\/responses(?:$|[?/])/u);

const blocksIn = (body: Json): Json[] =>
  (body['messages'] as Json[]).flatMap(({ role, content }) =>
    typeof content === 'string' ? [{ role, type: 'text' }] : (content as Json[]).map((block) => ({ ...block, role })),
  );
const count = (blocks: readonly Json[], type: string, role?: string): number =>
  blocks.filter((block) => block['type'] === type && (role === undefined || block['role'] === role)).length;
function sums(
  reports: readonly TranscriptReport[],
  key: 'toolCalls' | 'toolResults' | 'thinkingSigned' | 'compactions' | 'images' | 'userInput' | 'assistant',
): number {
  return reports.reduce((sum, report) => sum + report[key], 0);
}
async function readEach(bodies: readonly Json[], format: FormatName): Promise<TranscriptReport[]> {
  const reports: TranscriptReport[] = [];
  for (const body of bodies) reports.push((await one(JSON.stringify(body), { format })).report);
  return reports;
}

describe.skipIf(!present)('recorded Anthropic bodies', () => {
  it('are known by their content', async () => {
    for (const { request } of anthropic) {
      const { format } = await read(JSON.stringify(request.body));
      const isPlain =
        blocksIn(request.body).every((block) => block['type'] === 'text') && !('system' in request.body) && !('tools' in request.body);
      expect(format).toBe(isPlain || !('max_tokens' in request.body) ? format : 'anthropic');
      expect(['anthropic', 'openai-chat']).toContain(format);
    }
  });

  it('lose no block', async () => {
    const blocks = anthropic.flatMap(({ request }) => blocksIn(request.body));
    const reports = await readEach(
      anthropic.map(({ request }) => request.body),
      'anthropic',
    );
    expect(count(blocks, 'tool_use')).toBe(39);
    const own = blocks.filter((block) => ['server_tool_use', 'mcp_tool_use'].includes(String(block['type']))).length;
    expect(sums(reports, 'toolCalls')).toBe(count(blocks, 'tool_use') + own);
    expect(sums(reports, 'toolResults')).toBe(count(blocks, 'tool_result') + own);
    expect(sums(reports, 'thinkingSigned')).toBe(count(blocks, 'thinking') + count(blocks, 'redacted_thinking'));
    expect(sums(reports, 'compactions')).toBe(count(blocks, 'compaction'));
    expect(reports.flatMap((report) => [...report.skipped, ...report.notes])).toEqual([]);
  });

  it('keep the response beside them', async () => {
    const answered = anthropic.filter(({ response }) => response.status === 200 && (response.body as Json)['type'] === 'message');
    expect(answered.length).toBeGreaterThan(20);
    const reports = await readEach(
      answered.map(({ request, response }) => ({ ...request.body, response: response.body })),
      'anthropic',
    );
    expect(reports.map((report) => report.usage.calls)).toEqual(answered.map(() => 1));
  });

  it('are one session where they grow', async () => {
    for (const cassette of cassettes) {
      const bodies = cassette.map(({ request }) => request.body).filter((body) => anthropic.some(({ request }) => request.body === body));
      if (bodies.length < 2) continue;
      const { sessions } = await read(lines(...bodies), { format: 'anthropic' });
      const lengths = bodies.map((body) => (body['messages'] as unknown[]).length);
      const longest = sessions.reduce((most, { report }) => Math.max(most, report.records), 0);
      expect(longest).toBe(Math.max(...lengths));
      expect(sessions.length + sessions.flatMap(({ report }) => report.skipped.filter((one) => one.reason === 'superseded')).length).toBe(
        bodies.length,
      );
    }
  });
});

describe.skipIf(!present)('recorded Responses bodies', () => {
  it('are known by their content, and lose no item', async () => {
    expect(responses.length).toBeGreaterThan(40);
    for (const { request, response } of responses) {
      const reply = response.body as Json | null;
      const hasReply = typeof reply === 'object' && Array.isArray(reply?.['output']);
      const { format, sessions } = await read(JSON.stringify({ ...request.body, ...(hasReply ? { response: reply } : {}) }));
      const { report } = sessions[0] ?? expect.fail('no session');
      const input = request.body['input'];
      const items = [...(Array.isArray(input) ? (input as Json[]) : [{ role: 'user' }]), ...(hasReply ? (reply['output'] as Json[]) : [])];
      const of = (...types: string[]): number => items.filter((item) => types.includes(String(item['type']))).length;
      expect(format).toBe('responses');
      expect(report.records).toBe(items.length);
      expect(report.thinking).toBe(of('reasoning'));
      expect(report.compactions).toBe(of('compaction'));
      expect(report.toolCalls).toBe(items.filter((item) => /_call$|^program$/u.test(String(item['type']))).length);
      expect(report.userInput).toBe(items.filter((item) => item['role'] === 'user').length);
      expect(report.resultsWithoutCall === 0 || 'previous_response_id' in request.body).toBe(true);
      expect(report.notes.map((one) => one.reason)).toEqual(
        typeof request.body['previous_response_id'] === 'string' ? ['history-incomplete'] : [],
      );
      expect(report.usage.calls).toBe(hasReply && report.assistant > 0 ? 1 : 0);
    }
  });
});

describe.skipIf(!present)('recorded responses of providers', () => {
  const bodies = files('wire-vercel-ai').map((path) => [path.slice(path.lastIndexOf('/') + 1), parsed(path) as Json] as const);
  it.each(bodies.filter(([, body]) => body['object'] === 'response'))('%s', async (_name, body) => {
    const { format, sessions } = await read(JSON.stringify(body));
    expect(format).toBe('responses');
    const { report } = sessions[0] ?? expect.fail('no session');
    const output = body['output'] as Json[];
    expect(report.notes.filter((one) => one.reason === 'unknown-block')).toEqual([]);
    expect(report.toolCalls).toBe(output.filter((item) => /_call$/u.test(String(item['type']))).length);
    expect(report.thinking).toBe(output.filter((item) => item['type'] === 'reasoning').length);
    expect(report.skipped).toEqual([]);
  });
  it.each(bodies.filter(([, body]) => body['type'] === 'message' && body['role'] === 'assistant'))('%s', async (_name, body) => {
    const { format, sessions } = await read(JSON.stringify(body));
    expect(format).toBe('anthropic');
    const { report } = sessions[0] ?? expect.fail('no session');
    const blocks = body['content'] as Json[];
    expect(report.toolCalls).toBe(blocks.filter((block) => String(block['type']).endsWith('tool_use')).length);
    // A deferred result answers a call of the response before.
    const called = new Set(blocks.map((block) => block['id']));
    const late = blocks.filter((block) => 'tool_use_id' in block && !called.has(block['tool_use_id']));
    expect(report.skipped.map((skipped) => [skipped.reason, skipped.detail])).toEqual(
      late.map((block) => ['result-without-call', block['tool_use_id']]),
    );
    expect(report).toMatchObject({ usage: { calls: 1 }, assistant: 1, notes: [] });
  });
});

describe.skipIf(!present)('recorded calls through a router', () => {
  it.each(files('wire-openhands'))('%s', async (path) => {
    const { format, sessions } = await read(readFileSync(path));
    expect(format).toBe('openai-chat');
    expect(sessions[0]?.report).toMatchObject({ skippedRecords: 0, usage: { calls: 1 } });
  });
});
