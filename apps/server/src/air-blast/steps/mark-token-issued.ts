import type { Transaction } from '../../platform/database/database.ts';
import { updateAirBlast } from '../data/rollout-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';

/** Starts the validity of a new token: the operator can start the next step within 300,000 ms. */
export async function markTokenIssued(
  tx: Transaction,
  locked: AirBlastRecord,
  now: Date,
): Promise<AirBlastRecord> {
  await updateAirBlast(tx, locked.id, { tokenIssuedAt: now });
  return { ...locked, tokenIssuedAt: now };
}
