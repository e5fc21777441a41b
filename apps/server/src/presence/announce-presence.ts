import { sql } from 'drizzle-orm';
import { PRESENCE_LASTS_SECONDS, type PresentPerson } from '@deviceportal/contract/presence';
import { findDevice } from '../devices/find-device.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';

const MOST_DEVICES = 50;

const lasts = sql`make_interval(secs => ${PRESENCE_LASTS_SECONDS})`;

/**
 * Says that the viewer looks at a device, or no longer, and answers who else does.
 * @throws PortalError 6000 for a device that the viewer does not see
 */
export async function announcePresence(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Viewer,
  { deviceId, leaving }: { readonly deviceId: string; readonly leaving: boolean },
): Promise<PresentPerson[]> {
  const { orm } = database;
  const wanted = { reference: deviceId, permissions: ['devices:read' as const] };
  const id = await findDevice(orm, viewer, wanted);
  if (leaving) {
    await orm.execute(sql`
      delete from device_presence where device_id = ${id} and user_id = ${viewer.userId}`);
    return [];
  }
  await forgetOthers(orm, viewer.userId);
  await orm.execute(sql`
    insert into device_presence as p (device_id, user_id, since, seen_at)
    values (${id}, ${viewer.userId}, portal_now(), portal_now())
    on conflict (device_id, user_id) do update
      set seen_at = portal_now(), since = case when p.seen_at < portal_now() - ${lasts} then portal_now() else p.since end`);
  const { rows } = await orm.execute(sql`
    select u.id as "userId", u.username, p.since,
           (select r.name from user_role ur join role r on r.id = ur.role_id
            where ur.user_id = u.id order by r.builtin desc, r.name limit 1) as role
    from device_presence p join portal_user u on u.id = p.user_id and u.status = 'Activated'
    where p.device_id = ${id} and p.user_id <> ${viewer.userId} and p.seen_at > portal_now() - ${lasts}
    order by p.since limit 20`);
  return (rows as unknown as (PresentPerson & { readonly username: string })[]).map(
    ({ userId, username, role, since }) => ({
      userId,
      name: maskUser(username, viewer),
      role,
      since: isoOf(since),
    }),
  );
}

/** A person has a few tabs: of more devices, the first ones are forgotten. */
async function forgetOthers(on: Executor, userId: string): Promise<void> {
  await on.execute(sql`
    delete from device_presence where user_id = ${userId} and device_id in
      (select device_id from device_presence where user_id = ${userId}
       order by seen_at desc offset ${MOST_DEVICES - 1})`);
}
