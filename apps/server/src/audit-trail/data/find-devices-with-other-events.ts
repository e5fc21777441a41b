import { and, gte, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { auditEvent } from './audit-trail-tables.ts';

/** Devices with which something was done since a time, other than by one request. */
export async function findDevicesWithOtherEvents(
  on: Executor,
  {
    deviceIds,
    since,
    requestId,
  }: {
    readonly deviceIds: readonly string[];
    readonly since: Date;
    readonly requestId: string;
  },
): Promise<ReadonlySet<string>> {
  if (deviceIds.length === 0) return new Set();
  const rows = await on
    .selectDistinct({ id: auditEvent.deviceId })
    .from(auditEvent)
    .where(
      and(
        isAnyOf(auditEvent.deviceId, deviceIds),
        gte(auditEvent.at, since),
        sql`${auditEvent.requestId} is distinct from ${requestId}`,
      ),
    );
  return new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
}
