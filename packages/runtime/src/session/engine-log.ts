import type { EngineHost, EventMap, Events, Json, SessionId } from '@palimpsest/contracts';

type Line = EventMap['engine.logged'];

/** Where the engines of a session speak: each line is an event, a warning also goes to the operator. Engines are made before the session's events are. */
export class EngineLog {
  readonly #session: SessionId;
  readonly #warn: (text: string) => void;
  #events: Events | null = null;
  #waiting: Line[] = [];

  constructor(session: SessionId, warn: (text: string) => void) {
    this.#session = session;
    this.#warn = warn;
  }

  /** @param engine `name@version`. */
  of(engine: string): EngineHost['log'] {
    const say = (level: Line['level'], text: string, details: Json = null): void => {
      this.#say({ session: this.#session, turn: null, engine, level, text, details });
    };
    return {
      info: (text, details) => {
        say('info', text, details);
      },
      warn: (text, details) => {
        say('warn', text, details);
        this.#warn(`${engine}: ${text}`);
      },
    };
  }

  /** What waits is told with the first event: before it nobody can have begun to listen. */
  announceTo(events: Events): void {
    const stop = events.onAny(() => {
      stop();
      this.#events = events;
      for (const line of this.#waiting.splice(0)) events.emit('engine.logged', line);
    });
  }

  #say(line: Line): void {
    if (this.#events === null) this.#waiting.push(line);
    else this.#events.emit('engine.logged', line);
  }
}
