import { and, eq, gt, inArray, isNull, not, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { newId } from '@deviceportal/contract/ids';
import type { MachineFacts } from '@deviceportal/contract/re-enrollment';
import {
  RE_ENROLLMENT_APPROVAL_MINUTES,
  RE_ENROLLMENT_REQUEST_HOURS,
} from '@deviceportal/contract/re-enrollment';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { jsonObject } from '../../../platform/database/json-rows.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { device, deviceStatus, reEnrollmentRequest as request } from '../devices-tables.ts';
import { currentInstances } from '../current-instances.ts';
import { reachedBy } from '../find-devices.ts';
import { scopePredicate } from '../search/scope-predicate.ts';
import { d } from '../search/search-rows.ts';
import { stillManages } from './still-manages.ts';

/** Maximum number of expired requests deleted at a time. */
const CLEARED_AT_ONCE = 100;

const build = new QueryBuilder();

/** A rejected request also counts until it expires, so that its key cannot request again before. */
const isLive = gt(request.expiresAt, portalNow);

export type LiveRequest = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

async function lockRequest(tx: Transaction, where: SQL) {
  const [found] = await tx
    .select({
      id: request.id,
      deviceId: request.deviceId,
      keyFingerprint: request.keyFingerprint,
      decision: request.decision,
    })
    .from(request)
    .where(and(where, isLive))
    .for('update');
  return found;
}

/** Call with the row of the device locked. */
export const findRequestOf = (tx: Transaction, deviceId: string) =>
  lockRequest(tx, eq(request.deviceId, deviceId));

/** Locked until the transaction ends, after its device, like all code that locks both. */
export async function lockRequestById(
  tx: Transaction,
  id: string,
): Promise<LiveRequest | undefined> {
  const ofRequest = tx.select({ id: request.deviceId }).from(request).where(eq(request.id, id));
  await tx.select({ id: device.id }).from(device).where(eq(device.id, ofRequest)).for('update');
  return lockRequest(tx, eq(request.id, id));
}

/**
 * Deletes some of the expired requests. Locked ones are skipped, so that concurrent deletions do not wait for each
 * other.
 */
export async function clearEndedRequests(tx: Transaction): Promise<void> {
  const ended = tx
    .select({ deviceId: request.deviceId })
    .from(request)
    .where(not(isLive))
    .limit(CLEARED_AT_ONCE)
    .for('update', { skipLocked: true });
  await tx.delete(request).where(inArray(request.deviceId, ended));
}

/** Undecided requests, for growth limits. */
export const openRequests = (): SQL =>
  build
    .select({ id: request.id })
    .from(request)
    .where(and(isLive, isNull(request.decision)))
    .getSQL();

export interface NewRequest {
  readonly deviceId: string;
  readonly keyFingerprint: string;
  readonly machine: MachineFacts;
}

/**
 * Inserts a request or replaces an expired one.
 * @returns its ID
 */
export async function upsertRequest(tx: Transaction, made: NewRequest): Promise<string> {
  const id = newId();
  const { keyFingerprint, machine } = made;
  const expiresAt = sql`${portalNow} + ${RE_ENROLLMENT_REQUEST_HOURS} * interval '1 hour'`;
  await tx
    .insert(request)
    .values({ ...made, id, expiresAt })
    .onConflictDoUpdate({
      target: request.deviceId,
      set: {
        ...{ id, keyFingerprint, machine, expiresAt, askedAt: portalNow },
        ...{ decision: null, decidedBy: null, decidedById: null, accessGrantId: null },
      },
    });
  return id;
}

export interface Approval {
  readonly by: { readonly id: string; readonly name: string };
  readonly bond: AccessGrantBond | null;
}

/** Stores an approval, which also ends with the temporary access by which it was given. */
export async function storeApproval(
  tx: Transaction,
  id: string,
  { by, bond }: Approval,
): Promise<void> {
  await tx
    .update(request)
    .set({
      decision: 'approved',
      decidedBy: by.name,
      decidedById: by.id,
      accessGrantId: bond?.accessGrantId ?? null,
      expiresAt: sql`least(${portalNow} + ${RE_ENROLLMENT_APPROVAL_MINUTES} * interval '1 minute',
        ${bond?.endsAt ?? null}::timestamptz)`,
    })
    .where(eq(request.id, id));
}

export async function storeRejection(tx: Transaction, id: string, by: string): Promise<void> {
  await tx
    .update(request)
    .set({
      decision: 'rejected',
      decidedBy: by,
      expiresAt: sql`${request.askedAt} + ${RE_ENROLLMENT_REQUEST_HOURS} * interval '1 hour'`,
    })
    .where(eq(request.id, id));
}

/** @returns the request, and whether its approver can still manage the device */
export async function deleteRequestOf(tx: Transaction, deviceId: string) {
  const byManager = tx
    .select({ holds: sql`${stillManages(request.decidedById, device)}`.as('holds') })
    .from(device)
    .where(eq(device.id, request.deviceId));
  const [deleted] = await tx
    .delete(request)
    .where(eq(request.deviceId, deviceId))
    .returning({
      id: request.id,
      accessGrantId: request.accessGrantId,
      byManager: sql<boolean>`${byManager}`,
    });
  return deleted;
}

/**
 * The pending or approved request with the stored attributes of the device; null if it is outside the viewer's scope.
 */
export async function findShownRequest(on: Executor, viewer: Viewer, deviceId: string) {
  const scope = scopePredicate(viewer.grants, ['devices:manage']);
  const [found] = await on
    .select({
      id: request.id,
      keyFingerprint: request.keyFingerprint,
      askedAt: request.askedAt,
      expiresAt: request.expiresAt,
      machine: request.machine,
      approvedBy: request.decidedBy,
      device: jsonObject({
        hostName: currentInstances.hostName,
        model: d.model,
        platform: sql<string>`${currentInstances.platformName} || ' ' || ${currentInstances.platformVersion}`,
        architecture: currentInstances.architecture,
        agentVersion: currentInstances.agentVersion,
        address: sql<
          string | null
        >`coalesce(${deviceStatus.ipAddress}, ${currentInstances.ipAddress})`,
      }),
    })
    .from(request)
    .innerJoin(d, eq(d.id, request.deviceId))
    .leftJoin(deviceStatus, eq(deviceStatus.deviceId, d.id))
    .leftJoin(currentInstances, eq(currentInstances.deviceId, d.id))
    .where(
      and(
        eq(request.deviceId, deviceId),
        isLive,
        sql`${request.decision} is distinct from 'rejected'`,
        reachedBy(scope),
      ),
    );
  return found;
}
