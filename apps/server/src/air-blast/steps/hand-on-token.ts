import type { Transaction } from '../../platform/database/database.ts';
import { updateAirBlast } from '../data/rollout-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';

/** From now on, for 300,000 ms, the operator may start the next step. */
export async function handOnToken(
  tx: Transaction,
  held: AirBlastRecord,
  now: Date,
): Promise<AirBlastRecord> {
  await updateAirBlast(tx, held.id, { tokenIssuedAt: now });
  return { ...held, tokenIssuedAt: now };
}
