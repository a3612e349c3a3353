/** Reads Gemini CLI's own recording, one document or one record a line. */
import type { RecordReader } from '../formats.ts';
import { has, listOf, nameOf, objectOf, stringify, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import { acknowledgement, isQuiet, replySteps, userSteps, type MessageContext } from './messages.ts';
import { isMessage, spot, type GeminiFacts, type Place, type Spot } from './facts.ts';

export class GeminiReader implements RecordReader {
  readonly #facts: GeminiFacts;
  readonly #answered = new Set<string>();
  #number = -1;
  #summarised = false;

  constructor(facts: GeminiFacts) {
    this.#facts = facts;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    this.#number++;
    if (has(value, '$rewindTo')) return [];
    const set = objectOf(value['$set']);
    if (set !== null) return this.#set(set, at);
    if (!isMessage(value)) return has(value, 'sessionId') ? [headerFacts(value)] : [skip('unknown-kind', 'no type')];
    return this.#message(value, { at, name: `call-${String(at)}`, key: null }, spot(this.#number, null));
  }

  /** A list in place of the running one: what it repeats is not read again. */
  #set(set: JsonObject, at: number): readonly Step[] {
    const listed = listOf(set['messages']) ?? [];
    const steps = listed.flatMap((element, index): readonly Step[] => {
      const here = spot(this.#number, index);
      const message = objectOf(element);
      if (message === null || !isMessage(message)) return [skip('malformed', stringify(element).slice(0, 80))];
      return this.#facts.gone.get(here) === 'known'
        ? []
        : this.#message(message, { at, name: `call-${String(at)}-${String(index)}`, key: null }, here);
    });
    return [headerFacts(set), ...steps];
  }

  #message(value: JsonObject, context: MessageContext, here: Spot): readonly Step[] {
    const gone = this.#facts.gone.get(here);
    const place = this.#facts.places.get(here);
    const kept = place === undefined ? [] : this.#keep(place, context);
    if (gone === 'superseded' || gone === 'rewound') return [...kept, skip(isQuiet(value) ? 'ui-only' : gone)];
    const fills = this.#facts.filled.get(here);
    if (fills === null) return [{ do: 'facts', read: true }];
    return this.#content(value, fills === undefined ? context : { ...context, key: fills });
  }

  #keep(place: Place, context: MessageContext): readonly Step[] {
    if ('reply' in place) return [{ do: 'reserve', key: place.reply }];
    return this.#content(place.text, { ...context, at: place.at, elsewhere: true });
  }

  #content(value: JsonObject, context: MessageContext): readonly Step[] {
    if (isQuiet(value)) return [skip('ui-only')];
    if (value['type'] === 'user') return this.#user(value, context);
    if (value['type'] === 'gemini') return this.#reply(value, context);
    return [skip('unknown-kind', nameOf(value['type']) ?? 'no type')];
  }

  #user(value: JsonObject, context: MessageContext): readonly Step[] {
    const steps = userSteps(value, context);
    this.#summarised = steps.some((step) => step.do === 'hidden');
    return steps.map((step) => (step.do === 'result' && this.#answered.has(step.callId) ? skip('superseded', step.callId) : step));
  }

  #reply(value: JsonObject, context: MessageContext): readonly Step[] {
    const steps = replySteps(value, context);
    const made = this.#summarised && context.key === null ? this.#acknowledged(steps, context) : null;
    this.#summarised = false;
    if (made !== null) return [made];
    for (const step of steps) if (step.do === 'result') this.#answered.add(step.callId);
    return steps;
  }

  #acknowledged(steps: readonly Step[], { at }: MessageContext): Step | null {
    const parts = steps.flatMap((step) => (step.do === 'assistant' ? step.parts : []));
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return acknowledgement(text, parts.filter((part) => part.type === 'tool-call').length, at, 'handoff');
  }
}

/** Session data, of the first line or set later. */
function headerFacts(value: JsonObject): Step {
  const id = nameOf(value['sessionId']);
  const title = nameOf(value['summary']);
  return { do: 'facts', ...(id === null ? {} : { id }), ...(title === null ? {} : { title: { text: title, rank: 1 } }) };
}
