import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceLabel } from '../../devices/data/device-standing.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceWait } from './notifications-tables.ts';

interface Wait {
  readonly deviceId: string;
  readonly userId: string;
}

const isWait = ({ deviceId, userId }: Wait): SQL | undefined =>
  and(eq(deviceWait.deviceId, deviceId), eq(deviceWait.userId, userId));

export async function insertWait(tx: Transaction, wait: Wait, createdAt: Date): Promise<void> {
  await tx
    .insert(deviceWait)
    .values({ ...wait, createdAt })
    .onConflictDoNothing();
}

export async function deleteWait(tx: Transaction, wait: Wait): Promise<void> {
  await tx.delete(deviceWait).where(isWait(wait));
}

export async function hasWait(on: Executor, wait: Wait): Promise<boolean> {
  const rows = await on.select({ userId: deviceWait.userId }).from(deviceWait).where(isWait(wait));
  return rows.length > 0;
}

/** Requests that count against the limit of a user, except the one for this device. */
export const otherWaits = ({ deviceId, userId }: Wait): SQL =>
  new QueryBuilder()
    .select({ deviceId: deviceWait.deviceId })
    .from(deviceWait)
    .where(and(eq(deviceWait.userId, userId), ne(deviceWait.deviceId, deviceId)))
    .getSQL();

/**
 * Deletes and returns the requests to be notified when these devices are back online, with the data that scopes use.
 */
export async function deleteWaits(tx: Transaction, deviceIds: readonly string[]) {
  const ended = tx.$with('ended').as(
    tx
      .delete(deviceWait)
      .where(isAnyOf(deviceWait.deviceId, deviceIds))
      .returning({
        userId: deviceWait.userId,
        deviceId: deviceWait.deviceId,
        createdAt: sql<string>`${deviceWait.createdAt}::text`.as('created_at_text'),
      }),
  );
  return tx
    .with(ended)
    .select({
      userId: ended.userId,
      deviceId: ended.deviceId,
      createdAt: ended.createdAt,
      device: deviceLabel(),
      country: deviceRecords.country,
      model: deviceRecords.model,
      labels: deviceRecords.labels,
    })
    .from(ended)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, ended.deviceId));
}
