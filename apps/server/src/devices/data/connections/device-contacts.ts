import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { arrayOf } from '../../../platform/database/rows-of.ts';
import { deviceContact, deviceInstance, deviceStatus } from '../devices-tables.ts';

/** Stores that devices were heard from, without writing their status. */
export async function writeContacts(
  on: Executor,
  { deviceIds, at }: { readonly deviceIds: readonly string[]; readonly at: Date },
): Promise<void> {
  if (deviceIds.length === 0) return;
  const ids = sql`${arrayOf('uuid', deviceIds)}`;
  await on.insert(deviceContact).values({ at, deviceIds: ids });
}

export async function deleteContactsBefore(on: Executor, moment: Date): Promise<void> {
  await on.delete(deviceContact).where(lt(deviceContact.at, moment));
}

export interface SilenceRule {
  readonly now: Date;
  /** Number of heartbeats and seconds without one after which a device is silent. */
  readonly heartbeats: number;
  readonly marginSeconds: number;
  /** Interval of agents that do not report one. */
  readonly defaultSeconds: number;
  /** For how long messages of devices have been received. Nothing is known about longer silence. */
  readonly listeningSeconds: number;
  readonly limit: number;
}

/** Connected devices without a birth, heartbeat, or journal entry for longer than their heartbeats allow. */
export async function findSilentDevices(on: Executor, rule: SilenceRule): Promise<string[]> {
  const { deviceId, connectivity, lastSeenAt, heartbeatSeconds, instanceId } = deviceStatus;
  const { heartbeats, marginSeconds, defaultSeconds } = rule;
  const now = sql`${rule.now.toISOString()}::timestamptz`;
  const seconds = sql`${heartbeats} * coalesce(${heartbeatSeconds}, ${defaultSeconds}) + ${marginSeconds}`;
  const since = sql`${now} - make_interval(secs => ${seconds})`;
  const heard = on
    .select({
      id: sql<string>`unnest(${deviceContact.deviceIds})`.as('heard_id'),
      at: deviceContact.at,
    })
    .from(deviceContact)
    .as('heard');
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .leftJoin(heard, and(eq(heard.id, deviceId), gt(heard.at, since)))
    .leftJoin(
      deviceInstance,
      and(eq(deviceInstance.id, instanceId), gt(deviceInstance.lastPingAt, since)),
    )
    .where(
      and(
        inArray(connectivity, ['online', 'degraded']),
        sql`${lastSeenAt} < ${since}`,
        sql`${seconds} <= ${rule.listeningSeconds}`,
        isNull(heard.id),
        isNull(deviceInstance.id),
      ),
    )
    .limit(rule.limit);
  return rows.map((row) => row.deviceId);
}
