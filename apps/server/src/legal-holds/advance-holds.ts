import { inTransaction, type Database } from '../platform/database/database.ts';
import { extendHolds } from './data/extend-holds.ts';
import { endExpired } from './data/hold-queries.ts';
import { recordHold } from './record-hold.ts';

/** Records holds that have ended by themselves, and adds to the standing ones what their subjects have got. */
export function advanceHolds({ database }: { readonly database: Database }): Promise<void> {
  return inTransaction(database, async (tx) => {
    for (const { id, name, until } of await endExpired(tx)) {
      await recordHold(tx, undefined, 'legal-hold.expired', { id, name, until });
    }
    await extendHolds(tx);
  });
}
