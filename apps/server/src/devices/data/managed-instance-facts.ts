import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { device, deviceInstance, deviceStatus } from './devices-tables.ts';

export type ManagedFacts = Pick<
  typeof deviceInstance.$inferSelect,
  | 'id'
  | 'platformType'
  | 'platformName'
  | 'platformVersion'
  | 'agentVersion'
  | 'hostName'
  | 'ipAddress'
  | 'lastPingAt'
>;

const keys = [
  ...(['id', 'platformType', 'platformName', 'platformVersion'] as const),
  ...(['agentVersion', 'hostName', 'ipAddress', 'lastPingAt'] as const),
] as const;

/** Writes what Systems Manager lists of instances. Those that have not changed are not written. */
export async function updateManagedFacts(
  tx: Transaction,
  facts: readonly ManagedFacts[],
): Promise<void> {
  if (facts.length === 0) return;
  const given = alias(deviceInstance, 'given');
  const list = (from: typeof deviceInstance | typeof given) =>
    sql.join(
      keys.map((key) => sql`${from[key]}`),
      sql`, `,
    );
  const { id: _id, ...rest } = Object.fromEntries(
    keys.map((key) => [key, sql`${given[key]}`]),
  ) as Record<(typeof keys)[number], ReturnType<typeof sql>>;
  await tx
    .update(deviceInstance)
    .set(rest)
    .from(rowsFor(given, keys, facts))
    .where(
      and(
        eq(deviceInstance.id, given.id),
        sql`(${list(deviceInstance)}) is distinct from (${list(given)})`,
      ),
    );
}

/** Standing of devices, by device. */
export async function findStandings(tx: Transaction, deviceIds: readonly string[]) {
  const rows = await tx
    .select({
      deviceId: device.id,
      lifecycle: device.lifecycle,
      connectivity: deviceStatus.connectivity,
    })
    .from(device)
    .innerJoin(deviceStatus, eq(deviceStatus.deviceId, device.id))
    .where(isAnyOf(device.id, deviceIds));
  return new Map(rows.map((row) => [row.deviceId, row]));
}
