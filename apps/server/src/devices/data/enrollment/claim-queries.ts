import { and, desc, eq, exists, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { scopesOf } from '@deviceportal/contract/permissions';
import { accessGrantRuns } from '../../../access/data/access-grant-bonds.ts';
import { personNames } from '../../../people/data/person-names.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import type { MomentCursor } from '../../../platform/moment-cursor.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { deviceScopeCondition } from '../device-scope-condition.ts';
import { claim, claimDevice, device } from '../devices-tables.ts';
import { idArrayParam } from '../search/device-predicate.ts';
import { stillManages, stillManagesSome } from './still-manages.ts';

export type StoredClaim = typeof claim.$inferSelect;

const build = new QueryBuilder();
const MAX_OF_ACCESS_GRANT = 200;

/**
 * Whether a claim has ended because its creator can no longer manage the devices that it enrolls. Claims of an import
 * are for many devices, each of which is checked at enrollment: for them, the creator must be able to manage some
 * devices.
 */
const hasLostRight = (): SQL<boolean> => sql<boolean>`(${claim.endedAt} is not null or not (case
  when ${claim.deviceId} is not null then ${exists(
    build
      .select({ id: device.id })
      .from(device)
      .where(and(eq(device.id, claim.deviceId), stillManages(claim.createdById, device))),
  )}
  when ${claim.onlyRecorded} then ${stillManagesSome(claim.createdById)}
  else ${stillManages(claim.createdById, claim)} end))`;

/** Usable claims of a user, for growth limits. */
export const openClaimsOf = (username: string): SQL =>
  build
    .select({ id: claim.id })
    .from(claim)
    .where(
      and(
        eq(claim.createdBy, username),
        gt(claim.expiresAt, portalNow),
        gt(claim.usesLeft, 0),
        isNull(claim.endedAt),
      ),
    )
    .getSQL();

export interface NewClaim extends Pick<
  StoredClaim,
  | 'id'
  | 'tokenHash'
  | 'model'
  | 'ownerId'
  | 'country'
  | 'uses'
  | 'deviceId'
  | 'expiresAt'
  | 'createdBy'
  | 'createdById'
> {
  readonly labels: Readonly<StoredClaim['labels']>;
  /** The only devices that it enrolls, once each; null for any device. */
  readonly recordedDeviceIds: readonly string[] | null;
  /** The temporary access with which it ends. */
  readonly bond: AccessGrantBond | null;
}

export async function insertClaim(tx: Transaction, made: NewClaim): Promise<void> {
  const { recordedDeviceIds, bond, ...facts } = made;
  await tx.insert(claim).values({
    ...facts,
    labels: { ...facts.labels },
    usesLeft: facts.uses,
    onlyRecorded: recordedDeviceIds !== null,
    accessGrantId: bond?.accessGrantId ?? null,
  });
  if (recordedDeviceIds === null) return;
  await tx
    .insert(claimDevice)
    .select(
      sql`select ${made.id}::uuid, recorded, null::timestamptz from unnest(${idArrayParam(recordedDeviceIds)}) as i(recorded)`,
    );
}

/**
 * Usable claims that the viewer created, or that are within the scope in which the viewer manages devices; newest
 * first.
 */
export async function selectClaims(
  on: Executor,
  viewer: Viewer,
  page: { readonly after: MomentCursor | null; readonly now: Date; readonly limit: number },
) {
  const { after, now, limit } = page;
  return on
    .select({
      id: claim.id,
      model: claim.model,
      ownerId: claim.ownerId,
      ownerName: personNames.name,
      country: claim.country,
      labels: claim.labels,
      uses: claim.uses,
      usesLeft: claim.usesLeft,
      expiresAt: claim.expiresAt,
      createdAt: claim.createdAt,
      createdAtText: sql<string>`${claim.createdAt}::text`,
      createdBy: claim.createdBy,
      lostRight: hasLostRight(),
    })
    .from(claim)
    .leftJoin(personNames, eq(personNames.personId, claim.ownerId))
    .where(
      and(
        after === null
          ? undefined
          : sql`(${claim.createdAt}, ${claim.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        gt(claim.expiresAt, now),
        gt(claim.usesLeft, 0),
        accessGrantRuns(claim.accessGrantId),
        or(
          eq(claim.createdBy, viewer.username),
          // A claim has the country, model, and labels of the devices that it enrolls.
          deviceScopeCondition(scopesOf(viewer.grants, ['devices:manage']), claim),
        ),
      ),
    )
    .orderBy(desc(claim.createdAt), desc(claim.id))
    .limit(limit);
}

/** Claims created by temporary access, newest first. */
export async function selectClaimsOfAccessGrant(on: Executor, accessGrantId: string) {
  return on
    .select({
      id: claim.id,
      name: sql<string>`coalesce(nullif(${device.name}, ''), ${device.serialNumber}, ${claim.model}, '')`,
      at: claim.createdAt,
      inForce: sql<boolean>`${claim.usesLeft} > 0 and ${claim.expiresAt} > ${portalNow}
        and ${accessGrantRuns(claim.accessGrantId)} and not ${hasLostRight()}`,
    })
    .from(claim)
    .leftJoin(device, eq(device.id, claim.deviceId))
    .where(eq(claim.accessGrantId, accessGrantId))
    .orderBy(desc(claim.createdAt), desc(claim.id))
    .limit(MAX_OF_ACCESS_GRANT);
}

/** Locked until the transaction ends. */
export async function lockClaim(tx: Transaction, id: string): Promise<StoredClaim | undefined> {
  const [found] = await tx.select().from(claim).where(eq(claim.id, id)).for('update');
  return found;
}

export async function revokeUses(tx: Transaction, id: string): Promise<void> {
  await tx.update(claim).set({ usesLeft: 0 }).where(eq(claim.id, id));
}

export type SpentClaim = NonNullable<Awaited<ReturnType<typeof spendUse>>>;

/**
 * Spends a use of a claim. A single statement, so that a concurrent request waits for the row and then sees the
 * remaining uses.
 */
export async function spendUse(tx: Transaction, tokenHash: Buffer, now: Date) {
  const [spent] = await tx
    .update(claim)
    .set({ usesLeft: sql`${claim.usesLeft} - 1` })
    .where(and(eq(claim.tokenHash, tokenHash), gt(claim.usesLeft, 0), gt(claim.expiresAt, now)))
    .returning({
      id: claim.id,
      model: claim.model,
      ownerId: claim.ownerId,
      country: claim.country,
      labels: claim.labels,
      onlyRecorded: claim.onlyRecorded,
      deviceId: claim.deviceId,
      uses: claim.uses,
      /** The temporary access with which it ends. */
      accessGrantId: claim.accessGrantId,
      /** Whether its creator has already lost the permission for it. */
      ended: sql<boolean>`${claim.endedAt} is not null`,
    });
  return spent;
}

export async function returnUse(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(claim)
    .set({ usesLeft: sql`${claim.usesLeft} + 1` })
    .where(eq(claim.id, id));
}

/** Sets the device of a claim with a single use. */
export async function setClaimedDevice(
  tx: Transaction,
  id: string,
  deviceId: string,
): Promise<void> {
  await tx.update(claim).set({ deviceId }).where(eq(claim.id, id));
}

/**
 * Ends a claim whose creator has lost the permission for it, and returns its last use. False if the creator still has
 * it.
 */
export async function endClaimIfLost(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(claim)
    .set({ endedAt: portalNow, usesLeft: sql`${claim.usesLeft} + 1` })
    .where(and(eq(claim.id, id), hasLostRight()));
  return rowCount === 1;
}

/**
 * Whether the creator of a claim for many devices has lost the permission for one of them, and whether that has already
 * been recorded; undefined if the creator has the permission.
 */
export async function findLostDevice(tx: Transaction, claimId: string, deviceId: string) {
  const { endedAt } = claimDevice;
  const [found] = await tx
    .select({ ended: sql<boolean>`${endedAt} is not null` })
    .from(claimDevice)
    .innerJoin(claim, eq(claim.id, claimDevice.claimId))
    .innerJoin(device, eq(device.id, claimDevice.deviceId))
    .where(
      and(
        isRecorded(claimId, deviceId),
        sql`(${endedAt} is not null or not ${stillManages(claim.createdById, device)})`,
      ),
    );
  return found;
}

export async function markDeviceLost(
  tx: Transaction,
  claimId: string,
  deviceId: string,
): Promise<void> {
  await tx.update(claimDevice).set({ endedAt: portalNow }).where(isRecorded(claimId, deviceId));
}

/** Whether a claim for existing devices contains this one. */
export async function claimCovers(
  tx: Transaction,
  claimId: string,
  deviceId: string,
): Promise<boolean> {
  const rows = await tx
    .select({ deviceId: claimDevice.deviceId })
    .from(claimDevice)
    .where(isRecorded(claimId, deviceId));
  return rows.length > 0;
}

const isRecorded = (claimId: string, deviceId: string): SQL | undefined =>
  and(eq(claimDevice.claimId, claimId), eq(claimDevice.deviceId, deviceId));

/** The device of a claim for one device, unless it is retired. */
export async function findDeviceOfClaim(tx: Transaction, claimId: string): Promise<string | null> {
  const [found] = await tx
    .select({ id: device.id })
    .from(claim)
    .innerJoin(device, eq(device.id, claim.deviceId))
    .where(and(eq(claim.id, claimId), sql`${device.lifecycle} <> 'retired'`));
  return found?.id ?? null;
}
