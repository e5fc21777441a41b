import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { PRESENCE_LASTS_SECONDS } from '@deviceportal/contract/presence';
import { activeUsers, mainRoleOf } from '../../access/data/active-users.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { devicePresence } from './presence-tables.ts';

/** A viewer of a device. */
export interface Presence {
  readonly deviceId: string;
  readonly userId: string;
}

export interface PresentUser {
  readonly userId: string;
  readonly username: string;
  /** Null for a user without roles. */
  readonly role: string | null;
  readonly since: Date;
}

/** Users have few tabs open: beyond this, the oldest devices are removed. */
const MOST_DEVICES = 50;
const MOST_SHOWN = 20;

const earliestSeen = sql`${portalNow} - make_interval(secs => ${PRESENCE_LASTS_SECONDS})`;

export async function deletePresence(on: Executor, { deviceId, userId }: Presence): Promise<void> {
  await on
    .delete(devicePresence)
    .where(and(eq(devicePresence.deviceId, deviceId), eq(devicePresence.userId, userId)));
}

export async function upsertPresence(on: Executor, { deviceId, userId }: Presence): Promise<void> {
  await forgetOldest(on, userId);
  await on
    .insert(devicePresence)
    .values({ deviceId, userId, since: portalNow, seenAt: portalNow })
    .onConflictDoUpdate({
      target: [devicePresence.deviceId, devicePresence.userId],
      set: {
        seenAt: portalNow,
        since: sql`case when ${devicePresence.seenAt} < ${earliestSeen} then ${portalNow} else ${devicePresence.since} end`,
      },
    });
}

async function forgetOldest(on: Executor, userId: string): Promise<void> {
  const beyond = on
    .select({ deviceId: devicePresence.deviceId })
    .from(devicePresence)
    .where(eq(devicePresence.userId, userId))
    .orderBy(desc(devicePresence.seenAt))
    .offset(MOST_DEVICES - 1);
  await on
    .delete(devicePresence)
    .where(and(eq(devicePresence.userId, userId), inArray(devicePresence.deviceId, beyond)));
}

/** The other viewers of a device, earliest first. */
export async function findOthersPresent(
  on: Executor,
  { deviceId, userId }: Presence,
): Promise<PresentUser[]> {
  return on
    .select({
      userId: activeUsers.userId,
      username: activeUsers.username,
      role: mainRoleOf(devicePresence.userId),
      since: devicePresence.since,
    })
    .from(devicePresence)
    .innerJoin(activeUsers, eq(activeUsers.userId, devicePresence.userId))
    .where(
      and(
        eq(devicePresence.deviceId, deviceId),
        ne(devicePresence.userId, userId),
        gt(devicePresence.seenAt, earliestSeen),
      ),
    )
    .orderBy(devicePresence.since)
    .limit(MOST_SHOWN);
}
