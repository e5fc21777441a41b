import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { portalNow } from '../../../platform/columns.ts';
import { device, deviceInstance, registeredCertificate } from '../devices-tables.ts';

type Registered = typeof registeredCertificate.$inferSelect;

const { fingerprint, deviceId, instanceId, startsAt, endsAt, isActive } = registeredCertificate;

const EXPIRED_KEPT = sql`interval '1 day'`;

export async function insertRegistered(
  tx: Transaction,
  row: Pick<Registered, 'fingerprint' | 'deviceId' | 'instanceId' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  await tx.insert(registeredCertificate).values(row);
}

export async function findRegistered(
  on: Executor,
  fingerprints: readonly string[],
): Promise<Registered[]> {
  if (fingerprints.length === 0) return [];
  return on
    .select()
    .from(registeredCertificate)
    .where(inArray(fingerprint, [...fingerprints]));
}

/** The rules of `standingOf`, and of the lifecycle of the device. */
const isWanted = and(
  isNotNull(deviceInstance.id),
  inArray(device.lifecycle, ['active', 'pending']),
  or(
    eq(fingerprint, sql`lower(${deviceInstance.certificateFingerprint})`),
    and(
      eq(instanceId, deviceInstance.id),
      sql`${startsAt} > coalesce(${deviceInstance.certificateStartsAt}, '-infinity')`,
    ),
  ),
);

/**
 * Certificates that AWS IoT accepts and should not, or the reverse, locked until the transaction ends.
 *
 * @param deviceIds null for those of all devices
 */
export async function lockDiverging(
  tx: Transaction,
  deviceIds: readonly string[] | null,
  limit: number,
): Promise<{ readonly fingerprint: string; readonly isWanted: boolean }[]> {
  return tx
    .select({ fingerprint, isWanted: sql<boolean>`coalesce(${isWanted}, false)` })
    .from(registeredCertificate)
    .leftJoin(
      deviceInstance,
      and(eq(deviceInstance.deviceId, deviceId), eq(deviceInstance.state, 'current')),
    )
    .leftJoin(device, eq(device.id, deviceId))
    .where(
      and(
        deviceIds === null ? undefined : isAnyOf(deviceId, deviceIds),
        sql`${isActive} <> coalesce(${isWanted}, false)`,
      ),
    )
    .orderBy(asc(fingerprint))
    .limit(limit)
    .for('update', { of: registeredCertificate });
}

export async function setRegisteredActive(
  tx: Transaction,
  fingerprints: readonly string[],
  active: boolean,
): Promise<void> {
  if (fingerprints.length === 0) return;
  await tx
    .update(registeredCertificate)
    .set({ isActive: active })
    .where(inArray(fingerprint, [...fingerprints]));
}

export interface RemovableCertificate {
  readonly fingerprint: string;
  readonly deviceId: string;
  /** Whether the device never connects again. */
  readonly isRetired: boolean;
}

/** Certificates that are never accepted again: of retired devices, and expired ones. Locked until the transaction ends. */
export async function lockRemovable(
  tx: Transaction,
  deviceIds: readonly string[] | null,
  limit: number,
): Promise<RemovableCertificate[]> {
  const isRetired = or(isNull(device.id), eq(device.lifecycle, 'retired'));
  return tx
    .select({ fingerprint, deviceId, isRetired: sql<boolean>`coalesce(${isRetired}, false)` })
    .from(registeredCertificate)
    .leftJoin(device, eq(device.id, deviceId))
    .where(
      and(
        deviceIds === null ? undefined : isAnyOf(deviceId, deviceIds),
        or(and(isRetired, eq(isActive, false)), lt(endsAt, sql`${portalNow} - ${EXPIRED_KEPT}`)),
      ),
    )
    .orderBy(asc(fingerprint))
    .limit(limit)
    .for('update', { of: registeredCertificate });
}

export async function deleteRegistered(
  tx: Transaction,
  fingerprints: readonly string[],
): Promise<void> {
  if (fingerprints.length === 0) return;
  await tx.delete(registeredCertificate).where(inArray(fingerprint, [...fingerprints]));
}

/** Devices among these that have a certificate. */
export async function findWithCertificate(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deviceIds.length === 0) return new Set();
  const rows = await tx
    .selectDistinct({ deviceId })
    .from(registeredCertificate)
    .where(isAnyOf(deviceId, deviceIds));
  return new Set(rows.map((row) => row.deviceId));
}
