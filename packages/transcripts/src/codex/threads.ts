/** Whose header a second `session_meta` is: the thread's own again, an ancestor's copied into a fork, or the next session's. */
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { isHeader, unwrap } from './envelope.ts';

const MESSAGES = 'messages';

function parentsOf(payload: JsonObject): string[] {
  const spawn = objectOf(objectOf(objectOf(payload['source'])?.['subagent'])?.['thread_spawn']);
  return [payload['forked_from_id'], payload['parent_thread_id'], spawn?.['parent_thread_id']].map(nameOf).filter((id) => id !== null);
}

/** `seen`: ids of the thread and its ancestors, and whether messages came already. A header before any message is a copy. */
export function startsThread(seen: readonly string[], value: JsonObject): { readonly starts: boolean; readonly seen: readonly string[] } {
  const found = unwrap(value);
  if (found === null) return { starts: false, seen };
  if (!isHeader(value)) {
    const says = found.type === 'response_item' || found.type === 'event_msg';
    return { starts: false, seen: says && !seen.includes(MESSAGES) ? [...seen, MESSAGES] : seen };
  }
  const id = nameOf(found.payload['id']) ?? nameOf(found.payload['session_id']) ?? '';
  const ids = [id, ...parentsOf(found.payload)];
  if (seen.length > 0 && (seen.includes(id) || !seen.includes(MESSAGES))) return { starts: false, seen: [...seen, ...ids] };
  return { starts: true, seen: ids };
}
