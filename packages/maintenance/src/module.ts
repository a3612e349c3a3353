import { LADDER } from '@palimpsest/contracts';
import { bind, defineModule, type Module } from '@palimpsest/wiring';
import { EngineCompactRung } from './compact-rung.ts';
import { EntryDrafting } from './drafting.ts';
import { RungLadder } from './ladder.ts';
import { JournalLedger } from './ledger.ts';
import { COMPACT_RUNG, DRAFTING, LEDGER } from './tokens.ts';

export const maintenanceModule: Module = defineModule('maintenance', [
  bind(DRAFTING).toClass(EntryDrafting),
  bind(LEDGER).toClass(JournalLedger),
  bind(COMPACT_RUNG).toClass(EngineCompactRung),
  bind(LADDER).toClass(RungLadder),
]);
