import { sql } from 'drizzle-orm';
import {
  verifyAuditTrail,
  type VerifySources,
} from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import type { Fault } from '../run-record.ts';

/** Whether the whole trail is sealed, in the database and in its archived months. */
export async function findSealFaults(sources: VerifySources): Promise<Fault[]> {
  const { broken, strays, refused, verified } = await verifyAuditTrail(sources);
  const { rows } = await sources.database.orm.execute(sql`
    select (select count(*)::int from audit_event)
      + (select coalesce(sum(events), 0)::int from audit_cold_file where deleted_at is null) as events,
      (select count(*)::int from audit_unsealed) as unsealed`);
  const { events, unsealed } = rows[0] as { events: number; unsealed: number };
  const isWhole = broken === null && strays === 0 && refused === 0;
  if (isWhole && unsealed === 0 && verified === events) return [];
  const seen = { broken, strays, refused, verified, events, unsealed };
  return [{ rule: 'a hole in the trail', seen }];
}
