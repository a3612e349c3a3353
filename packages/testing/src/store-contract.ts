import { describe } from 'vitest';
import { artifactRules } from './contract/artifact-rules.ts';
import { branchRules } from './contract/branch-rules.ts';
import { fillingRules } from './contract/filling-rules.ts';
import { leaseRules } from './contract/lease-rules.ts';
import { logRules } from './contract/log-rules.ts';
import { modelRules } from './contract/model-rules.ts';
import { searchRules } from './contract/search-rules.ts';
import type { OpenFixture } from './contract/fixture.ts';

export type { OpenFixture, StoreFixture } from './contract/fixture.ts';

/**
 * The suite that every store passes. Each test opens a fresh store through `open`; `reopen`, where the store outlives its
 * process, closes it and opens the same data again. The store's leases have to run by the fixture's clock.
 */
export function storeContract(name: string, open: OpenFixture): void {
  describe(`${name}: store contract`, () => {
    logRules(open);
    branchRules(open);
    artifactRules(open);
    leaseRules(open);
    fillingRules(open);
    searchRules(open);
    modelRules(open);
  });
}
