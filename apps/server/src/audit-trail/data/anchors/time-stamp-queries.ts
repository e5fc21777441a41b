import { asc, gt } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { auditTimeStamp } from '../audit-trail-tables.ts';

const { block, token } = auditTimeStamp;

export async function insertTimeStamp(
  tx: Transaction,
  number: number,
  stamp: Uint8Array,
): Promise<void> {
  await tx
    .insert(auditTimeStamp)
    .values({ block: number, token: Buffer.from(stamp) })
    .onConflictDoNothing({ target: block });
}

/** In the order of their blocks. */
export const readTimeStamps = (on: Executor, after: number, limit: number) =>
  on
    .select({ block, token })
    .from(auditTimeStamp)
    .where(gt(block, after))
    .orderBy(asc(block))
    .limit(limit);
