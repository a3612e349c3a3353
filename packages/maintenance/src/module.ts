import { LADDER } from '@palimpsest/contracts';
import { bind, defineModule, type Module } from '@palimpsest/wiring';
import { COMPACT_RUNG, EngineCompactRung } from './compact-rung.ts';
import { DRAFTING, EntryDrafting } from './drafting.ts';
import { RungLadder } from './ladder.ts';
import { LEDGER, JournalLedger } from './ledger.ts';

export const maintenanceModule: Module = defineModule('maintenance', [
  bind(DRAFTING).toClass(EntryDrafting),
  bind(LEDGER).toClass(JournalLedger),
  bind(COMPACT_RUNG).toClass(EngineCompactRung),
  bind(LADDER).toClass(RungLadder),
]);
