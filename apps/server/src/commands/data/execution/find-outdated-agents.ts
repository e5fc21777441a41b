import { and, eq, lt } from 'drizzle-orm';
import { currentInstances } from '../../../devices/data/current-instances.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { invocation } from '../commands-tables.ts';
import { openColumns, type OpenInvocation } from './open-invocation-queries.ts';

/** Those of the claimed invocations whose agents use a protocol older than the given version. */
export async function findOutdatedAgents(
  tx: Transaction,
  ids: readonly string[],
  protocol: number,
): Promise<OpenInvocation[]> {
  const rows = await tx
    .select(openColumns)
    .from(invocation)
    .innerJoin(currentInstances, eq(currentInstances.deviceId, invocation.deviceId))
    .where(and(isAnyOf(invocation.id, ids), lt(currentInstances.protocol, protocol)));
  return rows.map((row) => ({ ...row, state: 'Pending' }));
}
