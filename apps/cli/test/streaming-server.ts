import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Ending = 'done' | 'hangs' | 'cut';

/** A server on loopback that speaks the Chat Completions API: it says its pieces, and then ends as it should, says nothing more, or cuts the connection. */
export class StreamingServer {
  readonly baseUrl: string;
  ending: Ending = 'done';
  pieces: readonly string[] = ['Hello', ' wor'];
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  }

  static async open(): Promise<StreamingServer> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        opened.#answer(response);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const opened = new StreamingServer(server);
    return opened;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(response: ServerResponse): void {
    const chunk = (delta: object, finish: string | null = null): void => {
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of this.pieces) chunk({ role: 'assistant', content });
    if (this.ending === 'hangs') return;
    if (this.ending === 'cut') return void setTimeout(() => response.destroy(), 300);
    chunk({}, 'stop');
    response.end('data: [DONE]\n\n');
  }
}
