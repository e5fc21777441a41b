import { and, count, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { NewPersonalToken } from '@deviceportal/contract/api-tokens';
import { userNames } from '../../access/data/user-names.ts';
import { portalClock, portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { deviceAuthorization } from './api-tokens-tables.ts';

export type DeviceAuthorization = Readonly<typeof deviceAuthorization.$inferSelect> & {
  readonly isExpired: boolean;
};

const isExpired = lte(deviceAuthorization.expiresAt, portalClock);

/** Expired rows are kept for a while, so that applications receive the reason. */
export const isAuthorizationForgotten = sql`${deviceAuthorization.expiresAt}
  < ${portalNow} - interval '5 minutes'`;

const FORGOTTEN_AT_ONCE = 20;

/** Serializes the creation of authorizations, so that concurrent ones cannot exceed a limit together. */
export async function lockAuthorizationLimits(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('device_authorization', 0))`);
}

export async function countPending(
  tx: Transaction,
  addressBucket: string,
): Promise<{ readonly ofAll: number; readonly ofAddress: number }> {
  const ofThis = eq(deviceAuthorization.addressBucket, addressBucket);
  const [found] = await tx
    .select({ ofAll: count(), ofAddress: sql<number>`count(*) filter (where ${ofThis})::int` })
    .from(deviceAuthorization)
    .where(
      and(eq(deviceAuthorization.state, 'pending'), gt(deviceAuthorization.expiresAt, portalClock)),
    );
  return found ?? { ofAll: 0, ofAddress: 0 };
}

/** @returns false if the user code or device code exists */
export async function insertAuthorization(
  tx: Transaction,
  {
    validSeconds,
    ...row
  }: Omit<typeof deviceAuthorization.$inferInsert, 'expiresAt'> & { readonly validSeconds: number },
): Promise<boolean> {
  await deleteSomeForgotten(tx);
  const { rowCount } = await tx
    .insert(deviceAuthorization)
    .values({
      ...row,
      createdAt: portalClock,
      expiresAt: sql`${portalClock} + make_interval(secs => ${validSeconds})`,
    })
    .onConflictDoNothing();
  return (rowCount ?? 0) > 0;
}

/** Each new row removes more than it adds, so the table does not depend on the nightly deletion. */
async function deleteSomeForgotten(on: Executor): Promise<void> {
  const some = on
    .select({ id: deviceAuthorization.id })
    .from(deviceAuthorization)
    .where(isAuthorizationForgotten)
    .limit(FORGOTTEN_AT_ONCE)
    .for('update', { skipLocked: true });
  await on.delete(deviceAuthorization).where(inArray(deviceAuthorization.id, some));
}

const locked = (tx: Transaction) =>
  tx
    .select({ authorization: deviceAuthorization, isExpired: sql<boolean>`${isExpired}` })
    .from(deviceAuthorization);

type LockedRow = Awaited<ReturnType<typeof locked>>[number];

const toAuthorization = (row: LockedRow | undefined): DeviceAuthorization | undefined =>
  row && { ...row.authorization, isExpired: row.isExpired };

/** Locked until the end of the transaction. */
export async function lockByDeviceCode(
  tx: Transaction,
  deviceCodeHash: string,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await locked(tx)
    .where(eq(deviceAuthorization.deviceCodeHash, deviceCodeHash))
    .for('update');
  return toAuthorization(row);
}

/** The pending authorization with this code, locked; undefined if it was decided, or has expired. */
export async function lockPendingByUserCode(
  tx: Transaction,
  userCode: string,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await locked(tx)
    .where(
      and(eq(deviceAuthorization.userCode, userCode), eq(deviceAuthorization.state, 'pending')),
    )
    .for('update');
  return row?.isExpired === false ? toAuthorization(row) : undefined;
}

export async function decideAuthorization(
  tx: Transaction,
  id: string,
  decision: {
    readonly state: 'approved' | 'denied';
    readonly decidedById: string;
    readonly approved?: NewPersonalToken;
  },
): Promise<void> {
  await tx.update(deviceAuthorization).set(decision).where(eq(deviceAuthorization.id, id));
}

export async function markCollected(tx: Transaction, id: string, tokenId: string): Promise<void> {
  await tx
    .update(deviceAuthorization)
    .set({ state: 'collected', tokenId })
    .where(eq(deviceAuthorization.id, id));
}

/** Delays of the network can let two requests arrive closer together than they were sent. */
const TOLERANCE = sql`interval '1 second'`;

/**
 * Stores that the application asked for its token.
 * @returns whether it asked too early; then its interval is longer from now on
 */
export async function noteAsked(
  tx: Transaction,
  id: string,
  extendBySeconds: number,
): Promise<boolean> {
  const { intervalSeconds, lastAskedAt } = deviceAuthorization;
  const isEarly = and(
    isNotNull(lastAskedAt),
    gt(sql`${lastAskedAt} + make_interval(secs => ${intervalSeconds}) - ${TOLERANCE}`, portalClock),
  );
  const [before] = await tx
    .select({ isEarly: sql<boolean>`coalesce(${isEarly}, false)` })
    .from(deviceAuthorization)
    .where(eq(deviceAuthorization.id, id));
  const wasEarly = before?.isEarly ?? false;
  await tx
    .update(deviceAuthorization)
    .set({
      lastAskedAt: portalClock,
      ...(wasEarly && { intervalSeconds: sql`${intervalSeconds} + ${extendBySeconds}` }),
    })
    .where(eq(deviceAuthorization.id, id));
  return wasEarly;
}

/** The user who approved; undefined if the user was erased. */
export async function findApprover(
  on: Executor,
  userId: string,
): Promise<{ readonly subject: string; readonly username: string } | undefined> {
  const [found] = await on
    .select({ subject: userNames.subject, username: userNames.username })
    .from(userNames)
    .where(eq(userNames.userId, userId));
  return found;
}
