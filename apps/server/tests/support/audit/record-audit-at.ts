import { recordAudit, type AuditDraft } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { setAuditClock } from './audit-signer.ts';
import type { TestDatabase } from '../database/create-test-database.ts';

/** Records each event at its own time, by the clock of the database. */
export async function recordAuditAt(
  test: TestDatabase,
  events: readonly (AuditDraft & { readonly at: Date })[],
): Promise<void> {
  for (const event of events) {
    await setAuditClock(test, event.at);
    await inTransaction(test.database, (tx) => recordAudit(tx, [event]));
  }
  await setAuditClock(test, null);
}
