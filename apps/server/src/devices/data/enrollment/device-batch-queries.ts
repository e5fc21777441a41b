import { asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { portalNow } from '../../../platform/columns.ts';
import { columnNames } from '../../../platform/database/column-names.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { rowsFor } from '../../../platform/database/rows-for.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import { device } from '../devices-tables.ts';

type Device = typeof device.$inferSelect;

const idList = selectList({ id: device.id });

export interface NewDevice extends Omit<
  Device,
  'searchText' | 'createdAt' | 'updatedAt' | 'labels' | 'engine'
> {
  readonly labels: Readonly<Device['labels']>;
  /** Null for the current time. */
  readonly createdAt: Date | null;
}

/**
 * Inserts devices in one statement. Existing serial numbers are skipped.
 *
 * @returns the IDs of the new devices
 */
export async function insertDeviceBatch(
  tx: Transaction,
  devices: readonly NewDevice[],
): Promise<string[]> {
  const given = alias(device, 'given');
  const keys = [
    ...(['id', 'serialNumber', 'serialRank', 'name', 'model', 'hardwareRevision'] as const),
    ...(['ownerId', 'country', 'timeZone', 'labels', 'lifecycle', 'createdAt'] as const),
  ] as const;
  const rows = devices.map((row) => ({ ...row, labels: { ...row.labels } }));
  const inserted = await selectRows(
    tx,
    idList,
    (list) => sql`
    insert into ${device} (${columnNames(...keys.map((key) => device[key]))})
    select ${sql.join(
      keys.map((key) =>
        key === 'createdAt' ? sql`coalesce(${given[key]}, ${portalNow})` : sql`${given[key]}`,
      ),
      sql`, `,
    )}
    from ${rowsFor(given, keys, rows)}
    on conflict do nothing
    returning ${list}`,
  );
  return inserted.map((row) => row.id);
}

/** Locked until the transaction ends, in the order of their IDs. */
export async function lockDevicesBySerial(tx: Transaction, serialNumbers: readonly string[]) {
  const { id, serialNumber, name, ownerId, country, model, labels, lifecycle } = device;
  return tx
    .select({ id, serialNumber, name, ownerId, country, model, labels, lifecycle })
    .from(device)
    .where(isAnyOf(serialNumber, serialNumbers))
    .orderBy(asc(id))
    .for('update');
}

export interface WrittenDevice extends Pick<
  Device,
  'id' | 'name' | 'model' | 'ownerId' | 'country'
> {
  readonly labels: Readonly<Device['labels']>;
}

/** Replaces these values of devices, in one statement. */
export async function writeDeviceBatch(
  tx: Transaction,
  devices: readonly WrittenDevice[],
): Promise<void> {
  const given = alias(device, 'given');
  const keys = ['id', 'name', 'model', 'ownerId', 'country', 'labels'] as const;
  const rows = devices.map((row) => ({ ...row, labels: { ...row.labels } }));
  await tx
    .update(device)
    .set({
      name: sql`${given.name}`,
      model: sql`${given.model}`,
      ownerId: sql`${given.ownerId}`,
      country: sql`${given.country}`,
      labels: sql`${given.labels}`,
      updatedAt: portalNow,
    })
    .from(rowsFor(given, keys, rows))
    .where(eq(device.id, given.id));
}
