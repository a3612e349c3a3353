/** One part of a message as a window of it. Pure. */
import type { Json } from '@palimpsest/contracts';
import { jsonWindow } from './json-window.ts';
import type { Measure } from './measure.ts';
import type { Part } from './parts.ts';
import { windowOf, type GapText } from './text-window.ts';

/** What is shown now is cut further, but a window is always cut from the original. */
export function windowedPart(part: Part, maxTokens: number, measure: Measure): string {
  const fromOriginal = part.inForce === null || part.inForce.reason === 'windowed';
  if (part.target === 'arguments') return jsonWindow(fromOriginal ? part.input : parsed(part.current), maxTokens, measure.text);
  return windowOf(fromOriginal ? part.original : part.current, maxTokens, gapText(part), measure.text);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function gapText(part: Part): GapText {
  return ({ characters, lines }) => {
    const size = `${String(characters)} characters, ${String(lines)} lines`;
    return `\n[… ${size} left out to fit; all of it is in the session log, entry ${part.entry} …]\n`;
  };
}
