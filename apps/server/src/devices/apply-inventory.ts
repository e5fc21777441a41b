import { serialNumberSchema } from '@deviceportal/contract/ids';
import type { Transaction } from '../platform/database/database.ts';
import {
  fillGaps,
  writeInventories,
  writeReportedInstances,
  writeReportedPlatforms,
  type FactsChange,
  type ReportedFacts,
} from './data/inventory-queries.ts';
import { refreshDeviceCopies } from './data/refresh-device-copies.ts';

/** Attributes reported by a device. The fields are those of the journal's inventory entry. */
export interface InventoryRow {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly at: Date;
  readonly platformType: string;
  readonly platformName: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly agentVersion: string;
  readonly hostName: string;
  readonly ipAddress: string | null;
  readonly serialNumber: string | null;
  readonly model: string | null;
  readonly hardwareRevision: string | null;
  readonly timeZone: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A device with changed attributes: the fields with their new and previous values. */
export interface InventoryChange {
  readonly deviceId: string;
  readonly changed: Readonly<Record<string, string | null>>;
  readonly before: Readonly<Record<string, string | null>>;
}

/**
 * Applies the inventories of many devices. Stored serial numbers and models are kept: reported values only fill gaps,
 * and never take the serial number of another device. The reported hardware revision always applies.
 */
export async function applyInventory(
  tx: Transaction,
  rows: readonly InventoryRow[],
): Promise<InventoryChange[]> {
  if (rows.length === 0) return [];
  const newest = [...new Map(rows.map((row) => [row.deviceId, row])).values()];
  const instances = newest.map(({ instanceId, ...row }) => ({ ...row, id: instanceId }));
  await writeReportedInstances(tx, instances);
  await writeReportedPlatforms(tx, instances);
  await writeInventories(
    tx,
    newest.map(({ deviceId, at, details }) => ({ deviceId, at, data: { ...details } })),
  );
  const changes = (await fillGaps(tx, newest.map(toFacts))).map(differencesOf);
  await refreshDeviceCopies(
    tx,
    changes.map((change) => change.deviceId),
  );
  return changes;
}

function toFacts(row: InventoryRow): ReportedFacts {
  const serial = serialNumberSchema.safeParse(row.serialNumber);
  return {
    id: row.deviceId,
    serialNumber: serial.success ? serial.data : null,
    model: row.model === '' ? null : row.model,
    hardwareRevision: row.hardwareRevision,
    timeZone: row.timeZone,
  };
}

function differencesOf({ deviceId, before, after }: FactsChange): InventoryChange {
  const fields = (Object.keys(after) as (keyof typeof after)[]).filter(
    (field) => before[field] !== after[field],
  );
  const of = (facts: typeof after) =>
    Object.fromEntries(fields.map((field) => [field, facts[field]]));
  return { deviceId, changed: of(after), before: of(before) };
}
