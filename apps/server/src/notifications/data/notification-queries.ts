import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { UNREAD_COUNTED } from '@deviceportal/contract/notifications';
import { userHasPermission } from '../../access/data/users-with-permission.ts';
import { activeUsers } from '../../access/data/active-users.ts';
import { userContacts } from '../../access/data/user-contacts.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import { notification, notificationSetting } from './notifications-tables.ts';

type NotificationRow = Readonly<typeof notification.$inferSelect>;
export type NewNotification = Pick<NotificationRow, 'id' | 'userId' | 'kind' | 'subject' | 'facts'>;

const draftColumns = insertColumns(notification, ['id', 'userId', 'kind', 'subject', 'facts']);

/**
 * Notifies active users according to their preferences, once for each subject.
 * @returns the `sub` of the users who have a new notification
 */
export async function insertNotifications(
  tx: Transaction,
  drafts: readonly NewNotification[],
): Promise<string[]> {
  if (drafts.length === 0) return [];
  const rows = drafts.map(({ facts, ...draft }) => ({ ...draft, facts: JSON.stringify(facts) }));
  const { id, userId, kind, subject, facts, at, shown, message } = notification;
  const isShown = sql`coalesce(${notificationSetting.portal}, true)`;
  const made = tx.$with('made', { userId: sql<string>`made.user_id`.as('user_id') }).as(sql`
    insert into ${notification} (${columnNames(id, userId, kind, subject, facts, at, shown, message)})
    select draft.id, draft."userId", draft.kind, draft.subject, draft.facts, ${portalNow}, ${isShown},
      case when ${notificationSetting.message} then 'wanted' else 'none' end
    from ${rowsOf(draftColumns.types, rows)} as draft
    join ${activeUsers} on ${activeUsers.userId} = draft."userId"
    left join ${notificationSetting}
      on ${notificationSetting.userId} = draft."userId" and ${notificationSetting.kind} = draft.kind
    where ${isShown} or ${notificationSetting.message}
    on conflict (${columnNames(subject, kind, userId)}) do nothing
    returning ${columnNames(userId)}`);
  const told = await tx
    .with(made)
    .selectDistinct({ subject: activeUsers.subject })
    .from(made)
    .innerJoin(activeUsers, eq(activeUsers.userId, sql`made.user_id`));
  return told.map((user) => user.subject);
}

/** Newest first. */
export async function selectNotifications(
  on: Executor,
  page: { readonly userId: string; readonly after: MomentCursor | null; readonly limit: number },
) {
  const { userId, after, limit } = page;
  const { id, at } = notification;
  return on
    .select({
      id,
      kind: notification.kind,
      facts: notification.facts,
      at,
      atText: sql<string>`${at}::text`,
      readAt: notification.readAt,
    })
    .from(notification)
    .where(
      and(
        eq(notification.userId, userId),
        notification.shown,
        after === null
          ? undefined
          : sql`(${at}, ${id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(limit);
}

const isUnread = (userId: string) =>
  and(eq(notification.userId, userId), isNull(notification.readAt));

/** Counts only up to the highest number that is shown. */
export async function countUnread(on: Executor, userId: string): Promise<number> {
  const unread = on
    .select({ id: notification.id })
    .from(notification)
    .where(and(isUnread(userId), notification.shown))
    .limit(UNREAD_COUNTED + 1)
    .as('unread');
  const [found] = await on.select({ count: sql<number>`count(*)::int` }).from(unread);
  return found?.count ?? 0;
}

/** Whether any of them was unread. @param ids null for all */
export async function markRead(
  on: Executor,
  userId: string,
  ids: readonly string[] | null,
): Promise<boolean> {
  const { rowCount } = await on
    .update(notification)
    .set({ readAt: portalNow })
    .where(and(isUnread(userId), ids === null ? undefined : isAnyOf(notification.id, ids)));
  return (rowCount ?? 0) > 0;
}

/** Recent notifications that are shown in the portal, with the `sub` of their user. */
export async function findLatest(on: Executor, seconds: number) {
  return on
    .select({ id: notification.id, subject: userContacts.subject })
    .from(notification)
    .innerJoin(userContacts, eq(userContacts.userId, notification.userId))
    .where(
      and(
        gt(notification.at, sql`${portalNow} - make_interval(secs => ${seconds})`),
        notification.shown,
      ),
    );
}

/** Notifications to send by message, locked until the transaction ends; those that another server sends are skipped. */
export type WantedNotice = Awaited<ReturnType<typeof lockWantedNotices>>[number];

export async function lockWantedNotices(tx: Transaction, limit: number) {
  return tx
    .select({
      id: notification.id,
      kind: notification.kind,
      facts: notification.facts,
      person: userContacts.subject,
      email: userContacts.email,
      phone: userContacts.phone,
      language: sql<string | null>`${userContacts.preferences}->>'language'`,
      username: userContacts.username,
      name: userContacts.name,
      readsPeople: sql<boolean>`${userHasPermission(userContacts.userId, 'people:read')}`,
    })
    .from(notification)
    .innerJoin(userContacts, eq(userContacts.userId, notification.userId))
    .where(eq(notification.message, 'wanted'))
    .orderBy(asc(notification.at))
    .limit(limit)
    .for('update', { of: notification, skipLocked: true });
}

/** @param queued those that were queued for sending */
export async function markHandedOver(
  tx: Transaction,
  ids: readonly string[],
  queued: readonly string[],
): Promise<void> {
  await tx
    .update(notification)
    .set({
      message: sql`case when ${isAnyOf(notification.id, queued)} then 'queued' else 'none' end`,
    })
    .where(isAnyOf(notification.id, ids));
}

/** Adds devices to the notifications of runs. @returns the runs that have a notification */
export async function addDevicesOfRuns(
  tx: Transaction,
  more: readonly { readonly runId: string; readonly userId: string; readonly devices: number }[],
): Promise<ReadonlySet<string>> {
  const rows = more.map(({ runId, ...rest }) => ({ subject: subjectOfRun(runId), ...rest }));
  const types = { subject: 'text', userId: 'uuid', devices: 'integer' } as const;
  const { facts, subject } = notification;
  const known = await tx
    .update(notification)
    .set({
      facts: sql`jsonb_set(${facts}, '{devices}', to_jsonb((${facts}->>'devices')::int + more.devices))`,
    })
    .from(sql`${rowsOf(types, rows)} as more`)
    .where(
      and(
        sql`${notification.userId} = more."userId" and ${subject} = more.subject`,
        eq(notification.kind, 'queued-ran'),
      ),
    )
    .returning({ subject });
  const told = new Set(known.map((row) => row.subject));
  return new Set(more.flatMap(({ runId }) => (told.has(subjectOfRun(runId)) ? [runId] : [])));
}

export const subjectOfRun = (runId: string): string => `run:${runId}`;
