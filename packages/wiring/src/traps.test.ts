/** The seven measured behaviours of tsyringe 4.10.0 that this package closes: first the bare library, then ours. */
import { describe, expect, it, vi } from 'vitest';
import { hostToken, sessionToken } from '@palimpsest/contracts';
import { bind, defineModule, inject, openHost } from './index.ts';
import type { Binding, Host } from './index.ts';
import { container, inject as bareInject, injectable, Lifecycle } from './tsyringe.ts';

interface Named {
  readonly name: string;
}
const NAME = sessionToken<string>('session.name');
const SHARED = hostToken<Named>('host.shared');
const OTHER = hostToken<Named>('host.other');
const OWN = sessionToken<Named>('session.own');

class Greeter implements Named {
  readonly name: string;
  constructor(@inject(NAME) name: string) {
    this.name = name;
  }
}

class Plain implements Named {
  readonly name = 'plain';
  disposed = false;
  dispose(): void {
    this.disposed = true;
  }
}

/** Uses the shared host service, as the first session's services do. */
class User implements Named {
  readonly name: string;
  readonly shared: Named;
  constructor(@inject(SHARED) shared: Named) {
    this.shared = shared;
    this.name = shared.name;
  }
}

const open = (...bindings: Binding[]): Host => openHost([defineModule('m', bindings)], { sessionValues: [NAME] });
const problemsOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { details: { problems: unknown } }).details.problems;
  }
  return [];
};

describe('trap 1: a host singleton keeps the value of the session that came first', () => {
  it('bare: session B gets the value of A', () => {
    const host = container.createChildContainer();
    injectable()(Greeter);
    host.register('greeter', { useClass: Greeter }, { lifecycle: Lifecycle.Singleton });
    const [a, b] = ['A', 'B'].map((name) => host.createChildContainer().registerInstance(NAME.key, name));
    expect(a?.resolve<Named>('greeter').name).toBe('A');
    expect(b?.resolve<Named>('greeter').name).toBe('A');
  });

  it('ours: the scope break is found before anything exists', () => {
    expect(problemsOf(() => open(bind(SHARED).toClass(Greeter)))).toEqual([
      'host.shared (module m) has host scope and needs session.name, which lives for one session',
    ]);
  });

  it('ours: the same class in session scope gives each session its own', () => {
    const host = open(bind(OWN).toClass(Greeter));
    const [a, b] = ['A', 'B'].map((name) => host.openSession([bind(NAME).toValue(name)]));
    expect([a?.get(OWN).name, b?.get(OWN).name, a?.get(OWN).name]).toEqual(['A', 'B', 'A']);
  });
});

describe('trap 2: disposing the session that first used a host singleton disposes the singleton', () => {
  it('bare: the shared instance is disposed, and still handed out', async () => {
    const host = container.createChildContainer();
    host.register('shared', { useClass: Plain }, { lifecycle: Lifecycle.Singleton });
    const session = host.createChildContainer();
    const shared = session.resolve<Plain>('shared');
    // The singleton was constructed by the parent's registration through the child, which put it on its own list.
    await session.dispose();
    expect([shared.disposed, host.resolve<Plain>('shared') === shared]).toEqual([true, true]);
  });

  it('ours: host services are created at the start, and closed by the host alone', async () => {
    const closed: string[] = [];
    const created = vi.fn(() => new Plain());
    const host = open(
      bind(SHARED)
        .toFactory([], created)
        .closing(() => void closed.push('shared')),
      bind(OWN).toClass(User),
    );
    expect(created).toHaveBeenCalledTimes(1);
    const session = host.openSession([bind(NAME).toValue('A')]);
    expect(session.get(OWN)).toMatchObject({ shared: host.get(SHARED) });
    await session.close();
    expect(closed).toEqual([]);
    await host.close();
    expect([closed, created.mock.calls.length]).toEqual([['shared'], 1]);
  });
});

describe('trap 3: a cycle takes seconds and ends in a message of megabytes, or out of memory', () => {
  class Self implements Named {
    readonly name = 'self';
    constructor(@inject(OTHER) other: Named) {
      void other;
    }
  }
  it('ours: each cycle is one line, and nothing was created (the bare case would take the test process with it)', () => {
    const created = vi.fn(() => new Plain());
    const problems = problemsOf(() =>
      open(bind(SHARED).toClass(Self), bind(OTHER).toFactory([SHARED], created), bind(OWN).toFactory([OWN], created)),
    );
    expect(problems).toEqual(['cycle: host.shared -> host.other -> host.shared', 'cycle: session.own -> session.own']);
    expect(created).not.toHaveBeenCalled();
  });
});

describe('trap 4: every transient with a dispose method is kept by its container', () => {
  const kept = (scope: object): number => (scope as { disposables: Set<unknown> }).disposables.size;

  it('bare: 1,000 resolutions, 1,000 kept', () => {
    const host = container.createChildContainer();
    host.register('plain', { useClass: Plain });
    for (let i = 0; i < 1_000; i += 1) host.resolve('plain');
    expect(kept(host)).toBe(1_000);
  });

  it('ours: there are no transients; the same instance each time', () => {
    const created = vi.fn(() => new Plain());
    const host = open(bind(SHARED).toFactory([], created), bind(OTHER).toClass(Plain));
    const seen = new Set(Array.from({ length: 1_000 }, () => [host.get(SHARED), host.get(OTHER)]).flat());
    expect([seen.size, created.mock.calls.length]).toEqual([2, 1]);
  });
});

describe('trap 5: closing starts with the dependencies, stops at a fault, forgets children, values and factory results', () => {
  it('bare: dependencies first, and the rest stays open after a synchronous fault', async () => {
    const closed: string[] = [];
    class First {
      dispose(): void {
        closed.push('first');
      }
    }
    class Second {
      dispose(): void {
        closed.push('second');
        throw new Error('stuck');
      }
      constructor(@bareInject('first') first: First) {
        void first;
      }
    }
    class Third {
      dispose(): void {
        closed.push('third');
      }
      constructor(@bareInject('second') second: Second) {
        void second;
      }
    }
    const host = container.createChildContainer();
    for (const [name, cls] of Object.entries({ first: First, second: Second, third: Third })) {
      injectable()(cls);
      host.register(name, { useClass: cls }, { lifecycle: Lifecycle.Singleton });
    }
    host.resolve('third');
    await expect(host.dispose()).rejects.toThrow('stuck');
    expect(closed).toEqual(['first', 'second']);
  });

  it('ours: sessions, then host services, each last opened first; all run; the faults are gathered', async () => {
    const closed: string[] = [];
    const close = (name: string, fault?: Error) => (): void => {
      closed.push(name);
      if (fault !== undefined) throw fault;
    };
    const host = open(
      bind(OTHER)
        .toFactory([SHARED], (shared) => shared)
        .closing(close('other', new Error('stuck'))),
      bind(SHARED)
        .toClass(Plain)
        .closing(async () => {
          await Promise.resolve();
          close('shared', new Error('lost'))();
        }),
      bind(OWN)
        .toClass(Greeter)
        .closing((own) => close(`own ${own.name}`)()),
    );
    for (const name of ['A', 'B']) host.openSession([bind(NAME).toValue(name)]);
    await expect(host.close()).rejects.toMatchObject({
      code: 'CLOSE_FAILED',
      message: 'Closing host scope (host.other, host.shared): stuck; lost',
      details: { faults: ['stuck', 'lost'] },
    });
    expect(closed).toEqual(['own B', 'own A', 'other', 'shared']);
  });

  it('ours: a method named dispose means nothing', async () => {
    const host = open(bind(SHARED).toClass(Plain));
    const shared = host.get(SHARED);
    await host.close();
    expect(shared).toMatchObject({ disposed: false });
  });
});

describe('trap 6: the last of two bindings wins silently', () => {
  it('bare: the second one answers', () => {
    const host = container.createChildContainer().registerInstance('x', 1).registerInstance('x', 2);
    expect(host.resolve('x')).toBe(2);
  });

  it('ours: twice is a fault unless it is marked', () => {
    const [one, two] = [bind(SHARED).toValue({ name: 'one' }), bind(SHARED).toValue({ name: 'two' })];
    expect(problemsOf(() => open(one, two))).toEqual(['host.shared is bound twice: module m and module m']);
    expect(open(one, two.overriding()).get(SHARED).name).toBe('two');
  });
});

describe('trap 7: null and undefined as values', () => {
  it('bare: the message speaks of type information', () => {
    const host = container.createChildContainer().registerInstance<unknown>('x', null);
    expect(() => host.resolve('x')).toThrow('TypeInfo not known');
  });

  it('ours: refused before anything exists, and every other falsy value is served', () => {
    const EMPTY = hostToken<string | number | boolean | null | undefined>('host.empty');
    for (const value of [null, undefined])
      expect(problemsOf(() => open(bind(EMPTY).toValue(value)))).toEqual([
        `host.empty (module m) is ${String(value)}; bind an implementation that does nothing instead`,
      ]);
    for (const value of ['', 0, false]) expect(open(bind(EMPTY).toValue(value)).get(EMPTY)).toBe(value);
    for (const value of ['', 0, false]) expect(open(bind(EMPTY).toFactory([], () => value)).get(EMPTY)).toBe(value);
  });

  it('ours: a factory that gives nothing is the same fault, and what was made before is closed', () => {
    const EMPTY = hostToken<null>('host.empty');
    const closed = vi.fn();
    const bindings = [bind(SHARED).toClass(Plain).closing(closed), bind(EMPTY).toFactory([], () => null)];
    expect(problemsOf(() => open(...bindings))).toEqual(['host.empty is null; bind an implementation that does nothing instead']);
    expect(closed).toHaveBeenCalledTimes(1);
  });
});

describe('the global container', () => {
  it('gets nothing and gives nothing', () => {
    const touched = (['register', 'registerInstance', 'resolve', 'createChildContainer'] as const).map((name) => vi.spyOn(container, name));
    const host = open(bind(SHARED).toClass(Plain), bind(OWN).toClass(Greeter));
    host.openSession([bind(NAME).toValue('A')]).get(OWN);
    for (const spy of touched) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    container.registerInstance(OTHER.key, { name: 'stranger' });
    expect(() => host.get(OTHER)).toThrow('host.other is not served in the host scope');
    container.clearInstances();
    container.reset();
  });
});
