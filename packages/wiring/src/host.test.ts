import { describe, expect, it } from 'vitest';
import { errors, hostToken, sessionToken } from '@palimpsest/contracts';
import { afterFailedOpen, bind, defineModule, inject, openHost } from './index.ts';
import type { Binding, Host } from './index.ts';

interface Part {
  readonly name: string;
  readonly of: readonly Part[];
}
const ID = sessionToken<string>('session.id');
const LOG = hostToken<Part>('store.log');
const COUNTER = hostToken<Part>('budget.counter');
const JOURNAL = sessionToken<Part>('kernel.journal');
const LADDER = sessionToken<Part>('kernel.ladder');

class Counter implements Part {
  readonly name = 'counter';
  readonly of: readonly Part[];
  constructor(@inject(LOG) log: Part) {
    this.of = [log];
  }
}
class SessionJournal implements Part {
  readonly name: string;
  readonly of: readonly Part[];
  constructor(@inject(ID) id: string, @inject(LOG) log: Part) {
    this.name = `journal ${id}`;
    this.of = [log];
  }
}

/** A wiring that writes down what happens, in the order in which it happens. */
function wired(...extra: Binding[]): { readonly host: Host; readonly events: string[] } {
  const events: string[] = [];
  const part = (name: string, ...of: Part[]): Part => {
    events.push(`+${name}`);
    return { name, of };
  };
  const close = ({ name }: Part): void => void events.push(`-${name}`);
  const kernel = defineModule('kernel', [
    bind(LADDER)
      .toFactory([JOURNAL, ID], (journal, id) => part(`ladder ${id}`, journal))
      .closing(close),
    bind(JOURNAL).toClass(SessionJournal).closing(close),
  ]);
  const base = defineModule('base', [
    bind(COUNTER).toClass(Counter).closing(close),
    bind(LOG)
      .toFactory([], () => part('log'))
      .closing(close),
    ...extra,
  ]);
  return { host: openHost([kernel, base], { sessionValues: [ID] }), events };
}
const withId = (id: string): Binding[] => [bind(ID).toValue(id)];
const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('a host', () => {
  it('creates host services at the start and session services with each session, in dependency order', () => {
    const { host, events } = wired();
    expect(events).toEqual(['+log']);
    expect(host.get(COUNTER).of[0]).toBe(host.get(LOG));
    const [a, b] = [host.openSession(withId('a')), host.openSession(withId('b'))];
    expect(events).toEqual(['+log', '+ladder a', '+ladder b']);
    expect(a.get(LADDER).of[0]).toBe(a.get(JOURNAL));
    expect(a.get(JOURNAL)).not.toBe(b.get(JOURNAL));
    expect([a.get(ID), b.get(ID), a.get(LOG) === host.get(LOG)]).toEqual(['a', 'b', true]);
  });

  it('closes each session on its own, and the rest before itself', async () => {
    const { host, events } = wired();
    const [a] = ['a', 'b', 'c'].map((id) => host.openSession(withId(id)));
    events.length = 0;
    await a?.close();
    await a?.close();
    expect(events.splice(0)).toEqual(['-ladder a', '-journal a']);
    await Promise.all([host.close(), host.close()]);
    expect(events).toEqual(['-ladder c', '-journal c', '-ladder b', '-journal b', '-counter', '-log']);
  });

  it('waits for a session that is just closing', async () => {
    const order: string[] = [];
    const SLOW = sessionToken<object>('test.slow');
    const slow = bind(SLOW)
      .toFactory([], () => ({}))
      .closing(async () => {
        for (let i = 0; i < 5; i += 1) await Promise.resolve();
        order.push('session');
      });
    const fast = bind(LOG)
      .toFactory([], () => ({ name: 'log', of: [] }))
      .closing(() => void order.push('host'));
    const host = openHost([defineModule('m', [slow, fast])]);
    void host.openSession([]).close();
    await host.close();
    expect(order).toEqual(['session', 'host']);
  });

  it('does not report again what a session closed before could not close', async () => {
    const STUCK = sessionToken<object>('test.stuck');
    const stuck = bind(STUCK)
      .toFactory([], () => ({}))
      .closing(() => Promise.reject(new Error('stuck')));
    const host = openHost([defineModule('m', [stuck])]);
    const session = host.openSession([]);
    for (const closing of [session.close(), session.close()])
      await expect(closing).rejects.toMatchObject({ message: 'Closing session scope (test.stuck): stuck' });
    await host.close();
    expect(thrownBy(() => host.get(LOG))).toMatchObject({ code: 'WIRING_CLOSED' });
  });

  it('serves nothing after it began to close, and its sessions neither', async () => {
    const { host } = wired();
    const [a, b] = [host.openSession(withId('a')), host.openSession(withId('b'))];
    const closing = a.close();
    expect(thrownBy(() => a.get(LADDER))).toMatchObject({ code: 'WIRING_CLOSED', details: { scope: 'session' } });
    await closing;
    expect(b.get(LADDER).name).toBe('ladder b');
    const closed = host.close();
    for (const act of [() => host.get(LOG), () => b.get(LADDER), () => host.openSession(withId('c'))])
      expect(thrownBy(act)).toMatchObject({ code: 'WIRING_CLOSED', details: { scope: 'host' } });
    await closed;
    expect(host.describe().services).toHaveLength(5);
  });

  it('refuses tokens that it does not serve', () => {
    const { host } = wired();
    const session = host.openSession(withId('a'));
    expect(() => host.get(LADDER as unknown as typeof LOG)).toThrow('kernel.ladder is not served in the host scope');
    expect(() => session.get(hostToken('other'))).toThrow('other is not served in the session scope');
  });

  it('describes the wiring as plain data, in the order of creation', () => {
    const report = wired().host.describe();
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report).toEqual({
      modules: ['kernel', 'base'],
      services: [
        { token: 'session.id', scope: 'session', module: null, how: 'session-value', by: null, deps: [], overrides: false, closes: false },
        { token: 'store.log', scope: 'host', module: 'base', how: 'factory', by: null, deps: [], overrides: false, closes: true },
        {
          token: 'kernel.journal',
          scope: 'session',
          module: 'kernel',
          how: 'class',
          by: 'SessionJournal',
          deps: ['session.id', 'store.log'],
          overrides: false,
          closes: true,
        },
        {
          token: 'kernel.ladder',
          scope: 'session',
          module: 'kernel',
          how: 'factory',
          by: null,
          deps: ['kernel.journal', 'session.id'],
          overrides: false,
          closes: true,
        },
        {
          token: 'budget.counter',
          scope: 'host',
          module: 'base',
          how: 'class',
          by: 'Counter',
          deps: ['store.log'],
          overrides: false,
          closes: true,
        },
      ],
    });
  });
});

describe('an opening that fails', () => {
  const BROKEN = hostToken<object>('test.broken');
  const BROKEN_SESSION = sessionToken<object>('test.broken-session');
  const failing = (cause: unknown) => (): object => {
    throw cause;
  };

  it('closes what it had made, and names the service whose constructor failed', async () => {
    const closed: string[] = [];
    const log = bind(LOG)
      .toFactory([], () => ({ name: 'log', of: [] }))
      .closing(async () => {
        await Promise.resolve();
        closed.push('log');
      });
    const error = thrownBy(() => openHost([defineModule('m', [bind(BROKEN).toFactory([LOG], failing(new Error('no disk'))), log])]));
    expect(error).toMatchObject({
      code: 'WIRING_CREATE_FAILED',
      message: 'Creating test.broken failed: no disk',
      cause: { message: 'no disk' },
    });
    expect(closed).toEqual([]);
    await afterFailedOpen(error);
    expect(closed).toEqual(['log']);
  });

  it('passes a typed error as it is, and tells what could not be closed to those who ask', async () => {
    const fault = errors.storeClosed();
    const log = bind(LOG)
      .toFactory([], () => ({ name: 'log', of: [] }))
      .closing(() => Promise.reject(new Error('stuck')));
    const error = thrownBy(() => openHost([defineModule('m', [log, bind(BROKEN).toFactory([], failing(fault))])]));
    expect(error).toBe(fault);
    await expect(afterFailedOpen(error)).rejects.toMatchObject({ code: 'CLOSE_FAILED', details: { faults: ['stuck'] } });
    await expect(afterFailedOpen(new Error('another'))).resolves.toBeUndefined();
    await expect(afterFailedOpen('text')).resolves.toBeUndefined();
  });

  it('of a session leaves the host and the other sessions alone, and is closed before the host', async () => {
    let broken = false;
    const { host, events } = wired(bind(BROKEN_SESSION).toFactory([LADDER], () => (broken ? failing('gone')() : {})));
    const a = host.openSession(withId('a'));
    broken = true;
    events.length = 0;
    expect(thrownBy(() => host.openSession(withId('b')))).toMatchObject({ message: 'Creating test.broken-session failed: gone' });
    expect(events.splice(0)).toEqual(['+ladder b', '-ladder b', '-journal b']);
    expect(a.get(LADDER).name).toBe('ladder a');
    await host.close();
    expect(events).toEqual(['-ladder a', '-journal a', '-counter', '-log']);
  });

  it('of a session is closed before the host, however long it takes', async () => {
    const order: string[] = [];
    const SLOW = sessionToken<object>('test.slow');
    const slow = bind(SLOW)
      .toFactory([], () => ({}))
      .closing(async () => {
        for (let i = 0; i < 5; i += 1) await Promise.resolve();
        order.push('session');
      });
    const log = bind(LOG)
      .toFactory([], () => ({ name: 'log', of: [] }))
      .closing(() => void order.push('host'));
    const host = openHost([defineModule('m', [log, slow, bind(BROKEN_SESSION).toFactory([SLOW], failing('gone'))])]);
    thrownBy(() => host.openSession([]));
    await host.close();
    expect(order).toEqual(['session', 'host']);
  });

  it('of a session is forgotten once it is closed', async () => {
    const stuck = bind(JOURNAL)
      .toFactory([], () => ({ name: 'journal', of: [] }))
      .closing(() => Promise.reject(new Error('stuck')));
    const host = openHost([defineModule('m', [stuck, bind(BROKEN_SESSION).toFactory([JOURNAL], failing('gone'))])]);
    await expect(afterFailedOpen(thrownBy(() => host.openSession([])))).rejects.toMatchObject({ code: 'CLOSE_FAILED' });
    await expect(host.close()).resolves.toBeUndefined();
  });
});
