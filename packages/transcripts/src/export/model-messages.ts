/** The AI SDK's model messages, as a JSON array. */
import { messageList, type Called, type Exchange, type ExportOptions, type PathEntries } from './exchanges.ts';

export async function* exportModelMessages(entries: PathEntries, options: ExportOptions = {}): AsyncGenerator<string> {
  yield* messageList(entries, options, messagesOf);
  yield '\n';
}

function* messagesOf(exchange: Exchange): Generator<object> {
  if (exchange.by === 'user') {
    yield { role: 'user', content: exchange.parts };
    return;
  }
  const calls = exchange.calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }));
  yield { role: 'assistant', content: [...exchange.said, ...calls] };
  if (calls.length > 0) yield { role: 'tool', content: exchange.calls.map(resultPart) };
}

const resultPart = ({ id, name, output }: Called): object => ({ type: 'tool-result', toolCallId: id, toolName: name, output });
