import { CLOCK, RENDERER, SESSION_IDS, SESSION_TIME, TOKEN_COUNTER, sessionToken } from '@palimpsest/contracts';
import type {
  Clock,
  CompactionBody,
  CustomBody,
  Draft,
  EntryId,
  ReductionBody,
  Renderer,
  SessionIds,
  SessionTime,
  TokenCounter,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { measureOf, type Measure } from './measure.ts';

/** What the ladder writes with: the metric, ids and time. */
export interface Drafting {
  readonly measure: Measure;
  /** Session time: what guards run by. */
  nowMs(): number;
  /** A maintenance entry; the model never sees it as such, so it costs nothing. */
  draft<B extends CompactionBody | ReductionBody | CustomBody>(body: B, turn: EntryId | null): Draft<B>;
}

export class EntryDrafting implements Drafting {
  readonly measure: Measure;
  private readonly ids: SessionIds;
  private readonly clock: Clock;
  private readonly time: SessionTime;

  constructor(
    @inject(TOKEN_COUNTER) counter: TokenCounter,
    @inject(RENDERER) renderer: Renderer,
    @inject(SESSION_IDS) ids: SessionIds,
    @inject(CLOCK) clock: Clock,
    @inject(SESSION_TIME) time: SessionTime,
  ) {
    this.measure = measureOf(counter, renderer);
    this.ids = ids;
    this.clock = clock;
    this.time = time;
  }

  nowMs(): number {
    return this.time.now();
  }

  draft<B extends CompactionBody | ReductionBody | CustomBody>(body: B, turn: EntryId | null): Draft<B> {
    return { ...body, id: this.ids.entry(), time: new Date(this.clock.now()).toISOString(), turn, tokens: 0 } as unknown as Draft<B>;
  }
}

export const DRAFTING = sessionToken<Drafting>('maintenance.drafting');
