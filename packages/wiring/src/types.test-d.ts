/** What must not compile. Checked by the compiler over tsconfig.test.json: an expectation without an error is an error itself. */
import { hostToken, sessionToken } from '@palimpsest/contracts';
import { bind, inject, openHost } from './index.ts';
import type { Host, SessionScope } from './index.ts';

interface Clock {
  now(): number;
}
interface Log {
  append(line: string): void;
  size(): number;
}
const CLOCK = hostToken<Clock>('host.clock');
const LOG = hostToken<Log>('store.log');
const NAME = sessionToken<string>('session.name');

export class SystemClock implements Clock {
  now(): number {
    return 1;
  }
}

export class FileLog implements Log {
  constructor(
    @inject(CLOCK) readonly_: Clock,
    @inject(NAME) name: string,
    @inject(LOG) narrower: Pick<Log, 'append'>,
    @inject(CLOCK) optional?: Clock,
  ) {
    void [readonly_, name, narrower, optional];
  }
  append(): void {
    return;
  }
  size(): number {
    return 0;
  }
  close(): void {
    return;
  }
}

export class Wrong {
  constructor(
    // @ts-expect-error -- a clock is no log
    @inject(CLOCK) log: Log,
    // @ts-expect-error -- a string is no clock; the check looks at each parameter by its own index
    @inject(NAME) clock: Clock,
    // @ts-expect-error -- a log may be asked for less than it can, not for more
    @inject(LOG) more: Log & { drop(): void },
    @inject(LOG) log2: Log,
  ) {
    void [log, clock, more, log2];
  }
  // @ts-expect-error -- only constructors are injected
  method(@inject(CLOCK) clock: Clock): void {
    void clock;
  }
}

bind(CLOCK).toClass(SystemClock);
bind(LOG)
  .toClass(FileLog)
  .closing((log) => log.close())
  .overriding();
bind(CLOCK)
  .toValue({ now: () => 2 })
  .overriding();
bind(CLOCK).toFactory([], () => ({ now: () => 3 }));
bind(NAME).toFactory([CLOCK, LOG, NAME], (clock, log, name) => `${String(clock.now())} ${String(log.size())} ${name.trim()}`);
bind(LOG)
  .toFactory([CLOCK], (clock) => ({ append: (line) => void [line.trim(), clock.now()], size: () => 0, end: () => 1 }))
  .closing((log) => void log.end());

// @ts-expect-error -- a value of another type
bind(CLOCK).toValue('now');
// @ts-expect-error -- a class of another type
bind(LOG).toClass(SystemClock);
// @ts-expect-error -- a factory of another type
bind(LOG).toFactory([CLOCK], (clock) => clock);
// @ts-expect-error -- a promise of the type is not the type
bind(CLOCK).toFactory([], () => Promise.resolve({ now: () => 3 }));
// @ts-expect-error -- the services come in the order of the tokens
bind(NAME).toFactory([CLOCK, LOG], (log: Log, clock: Clock) => `${String(log.size())} ${String(clock.now())}`);
// @ts-expect-error -- a host service needs no session token
bind(LOG).toFactory([NAME], (name) => ({ append: () => void name, size: () => 0 }));
const clockClass = bind(CLOCK).toClass(SystemClock);
// @ts-expect-error -- the port has no close, and the instance is only known to be a clock
clockClass.closing((clock) => clock.close());
// @ts-expect-error -- a value is closed by its maker
bind(CLOCK).toValue({ now: () => 2 }).closing;
// @ts-expect-error -- a host token is no session value
openHost([], { sessionValues: [CLOCK] });

export function uses(host: Host, session: SessionScope): readonly [number, string, number] {
  // @ts-expect-error -- a session service does not exist in the host
  host.get(NAME);
  return [host.get(CLOCK).now(), session.get(NAME).trim(), session.get(LOG).size()];
}
