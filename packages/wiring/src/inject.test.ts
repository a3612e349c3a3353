import { describe, expect, it } from 'vitest';
import { hostToken } from '@palimpsest/contracts';
import { dependenciesOf, inject, parameterFaults } from './inject.ts';

const A = hostToken<string>('a');
const B = hostToken<number>('b');

class Both {
  constructor(@inject(A) a: string, @inject(B) b: number) {
    void [a, b];
  }
}
class Half {
  constructor(a: string, @inject(B) b: number) {
    void [a, b];
  }
}
class Bare {
  constructor(a: string, b: number) {
    void [a, b];
  }
}
class Doubled {
  constructor(@inject(A) @inject(A) a: string) {
    void a;
  }
}
class Defaulted {
  constructor(@inject(A) a: string, @inject(B) b = 1, c = 2) {
    void [a, b, c];
  }
}
class DefaultedFirst {
  constructor(a = 'a', @inject(B) b: number) {
    void [a, b];
  }
}
class Heir extends Both {}
class GrandHeir extends Heir {}
class OwnConstructor extends Both {
  constructor(@inject(B) b: number) {
    super('', b);
  }
}
class OfBuiltIn extends Map<string, string> {}

describe('dependenciesOf', () => {
  it('reads the tokens in the order of the parameters, without creating anything', () => {
    expect(dependenciesOf(Both)).toEqual([A, B]);
    expect(dependenciesOf(Bare)).toEqual([]);
    expect(dependenciesOf(OwnConstructor)).toEqual([B]);
  });
});

describe('parameterFaults', () => {
  it('accepts classes whose required parameters have one decorator each', () => {
    for (const cls of [Both, Defaulted, OwnConstructor, OfBuiltIn, class {}]) expect(parameterFaults(cls)).toEqual([]);
  });

  it('names each parameter without a decorator, and with two', () => {
    expect(parameterFaults(Half)).toEqual(['parameter 0 of Half has no @inject']);
    expect(parameterFaults(Bare)).toEqual(['parameter 0 of Bare has no @inject', 'parameter 1 of Bare has no @inject']);
    expect(parameterFaults(DefaultedFirst)).toEqual(['parameter 0 of DefaultedFirst has no @inject']);
    expect(parameterFaults(Doubled)).toEqual(['parameter 0 of Doubled has 2 @inject']);
  });

  it('refuses a subclass that would be created without what its parent needs', () => {
    expect(parameterFaults(Heir)).toEqual(['Heir extends Both, which has dependencies, and declares no constructor with @inject']);
    expect(parameterFaults(GrandHeir)).toEqual([
      'GrandHeir extends Both, which has dependencies, and declares no constructor with @inject',
    ]);
  });
});
