import { and, asc, eq, exists, isNotNull, lte, not, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { device, deviceInstance, deviceInventory, deviceStatus } from './devices-tables.ts';

type Instance = typeof deviceInstance.$inferSelect;

/** Attributes of agent and platform as reported. */
export type ReportedInstance = Pick<
  Instance,
  | 'id'
  | 'deviceId'
  | 'platformType'
  | 'platformName'
  | 'platformVersion'
  | 'architecture'
  | 'agentVersion'
  | 'hostName'
  | 'ipAddress'
>;

export async function writeReportedInstances(
  tx: Transaction,
  rows: readonly ReportedInstance[],
): Promise<void> {
  const given = alias(deviceInstance, 'given');
  const keys = [
    ...(['id', 'deviceId', 'platformType', 'platformName', 'platformVersion'] as const),
    ...(['architecture', 'agentVersion', 'hostName', 'ipAddress'] as const),
  ] as const;
  await tx
    .update(deviceInstance)
    .set({
      platformType: sql`${given.platformType}`,
      platformName: sql`${given.platformName}`,
      platformVersion: sql`${given.platformVersion}`,
      architecture: sql`${given.architecture}`,
      agentVersion: sql`${given.agentVersion}`,
      hostName: sql`${given.hostName}`,
      ipAddress: sql`${given.ipAddress}`,
    })
    .from(rowsFor(given, keys, rows))
    .where(and(eq(deviceInstance.id, given.id), eq(deviceInstance.deviceId, given.deviceId)));
}

/** Locks in the order of IDs. */
export async function writeReportedPlatforms(
  tx: Transaction,
  rows: readonly ReportedInstance[],
): Promise<void> {
  const given = alias(deviceInstance, 'given');
  const locked = alias(deviceStatus, 'locked');
  const held = tx
    .select({
      deviceId: given.deviceId,
      platformType: given.platformType,
      agentVersion: given.agentVersion,
      ipAddress: given.ipAddress,
    })
    .from(rowsFor(given, ['deviceId', 'platformType', 'agentVersion', 'ipAddress'], rows))
    .innerJoin(locked, eq(locked.deviceId, given.deviceId))
    .orderBy(asc(given.deviceId))
    .for('update', { of: locked })
    .as('held');
  await tx
    .update(deviceStatus)
    .set({
      platform: sql`${held.platformType}`,
      agentVersion: sql`${held.agentVersion}`,
      ipAddress: sql`coalesce(${held.ipAddress}, ${deviceStatus.ipAddress})`,
    })
    .from(held)
    .where(eq(deviceStatus.deviceId, held.deviceId));
}

/** Of several inventories of a device, the latest is stored. */
export async function writeInventories(
  tx: Transaction,
  rows: readonly (typeof deviceInventory.$inferSelect)[],
): Promise<void> {
  const given = alias(deviceInventory, 'given');
  const { deviceId, at, data } = given;
  await tx
    .insert(deviceInventory)
    .select(
      sql`select ${deviceId}, ${at}, ${data} from ${rowsFor(given, ['deviceId', 'at', 'data'], rows)} order by ${deviceId}`,
    )
    .onConflictDoUpdate({
      target: deviceInventory.deviceId,
      set: { at: excluded(deviceInventory.at), data: excluded(deviceInventory.data) },
      setWhere: lte(deviceInventory.at, excluded(deviceInventory.at)),
    });
}

/** Attributes of a device as reported. */
export type ReportedFacts = Pick<
  typeof device.$inferSelect,
  'id' | 'serialNumber' | 'model' | 'hardwareRevision' | 'timeZone'
>;

export interface FactsChange {
  readonly deviceId: string;
  readonly before: Omit<ReportedFacts, 'id'>;
  readonly after: Omit<ReportedFacts, 'id'>;
}

const givenFacts = alias(device, 'given');
const factKeys = ['id', 'serialNumber', 'model', 'hardwareRevision', 'timeZone'] as const;

const factsIn = (of: typeof device | typeof givenFacts) => ({
  id: of.id,
  serialNumber: of.serialNumber,
  model: of.model,
  hardwareRevision: of.hardwareRevision,
  timeZone: of.timeZone,
});

/**
 * Fills missing attributes. A serial number of another device is ignored, and one that two devices report is stored for
 * one of them. The reported hardware revision always applies.
 */
export async function fillGaps(
  tx: Transaction,
  rows: readonly ReportedFacts[],
): Promise<FactsChange[]> {
  const other = alias(device, 'other');
  const reported = tx
    .$with('reported')
    .as(tx.select(factsIn(givenFacts)).from(rowsFor(givenFacts, factKeys, rows)));
  const free = tx
    .selectDistinctOn([reported.serialNumber], {
      id: reported.id,
      serialNumber: reported.serialNumber,
    })
    .from(reported)
    .where(
      and(
        isNotNull(reported.serialNumber),
        not(
          exists(
            tx
              .select({ id: other.id })
              .from(other)
              .where(eq(other.serialNumber, reported.serialNumber)),
          ),
        ),
      ),
    )
    .orderBy(asc(reported.serialNumber), asc(reported.id))
    .as('free');
  const held = tx
    .$with('held')
    .as(
      tx
        .select(factsIn(device))
        .from(device)
        .innerJoin(reported, eq(reported.id, device.id))
        .orderBy(asc(device.id))
        .for('update', { of: device }),
    );
  const fresh = {
    serialNumber: sql`coalesce(${held.serialNumber}, ${free.serialNumber})`,
    model: sql`coalesce(${held.model}, ${reported.model})`,
    hardwareRevision: sql`coalesce(${reported.hardwareRevision}, ${held.hardwareRevision})`,
    timeZone: sql`coalesce(${held.timeZone}, ${reported.timeZone})`,
  };
  const { serialNumber, model, hardwareRevision, timeZone } = device;
  return tx
    .with(reported, held)
    .update(device)
    .set({
      ...fresh,
      serialRank: sql`coalesce(${fresh.serialNumber}, ${device.serialRank})`,
      updatedAt: portalNow,
    })
    .from(held)
    .innerJoin(reported, eq(reported.id, held.id))
    .leftJoin(free, eq(free.id, held.id))
    .where(
      and(
        eq(device.id, held.id),
        sql`(${serialNumber}, ${model}, ${hardwareRevision}, ${timeZone}) is distinct from
          (${fresh.serialNumber}, ${fresh.model}, ${fresh.hardwareRevision}, ${fresh.timeZone})`,
      ),
    )
    .returning({
      deviceId: device.id,
      before: {
        serialNumber: held.serialNumber,
        model: held.model,
        hardwareRevision: held.hardwareRevision,
        timeZone: held.timeZone,
      },
      after: { serialNumber, model, hardwareRevision, timeZone },
    });
}
