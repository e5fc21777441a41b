import type { Queryable } from '../database/in-transaction.ts';

export interface StoredDevice {
  readonly id: string;
  /** Data that the device sent. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly lastAddress: string | null;
  readonly lastLoginAt: Date;
  /** Whether there is an active session on it. */
  readonly online: boolean;
}

/** Adds a device, or renews what is known of it, and ties the sign-in to it. @returns its id */
export async function saveDevice(
  db: Queryable,
  device: {
    readonly id: string;
    readonly userId: string;
    readonly uniqueId: string;
    readonly record: object;
    readonly address: string;
    readonly at: Date;
    readonly sessionId: string;
  },
): Promise<string | undefined> {
  const answer = await db.query<{ id: string }>(
    `with device as (
       insert into identity.provider_device
         (id, user_id, unique_id, record, last_address, last_login_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (user_id, unique_id) do update set record = excluded.record,
         last_address = excluded.last_address, last_login_at = excluded.last_login_at
       returning id)
     update identity.provider_session s set device_id = device.id from device
      where s.id = $7 and s.user_id = $2 returning device.id`,
    [
      device.id,
      device.userId,
      device.uniqueId,
      JSON.stringify(device.record),
      device.address,
      device.at,
      device.sessionId,
    ],
  );
  return answer.rows[0]?.id;
}

/** Devices of a person, without the one that calls itself so. */
export async function countOtherDevices(
  db: Queryable,
  userId: string,
  uniqueId: string,
): Promise<number> {
  const answer = await db.query<{ count: number }>(
    `select count(*)::int as count from identity.provider_device
      where user_id = $1 and unique_id <> $2`,
    [userId, uniqueId],
  );
  return answer.rows[0]?.count ?? 0;
}

/** Last used first. */
export async function listDevices(
  db: Queryable,
  userId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<StoredDevice[]> {
  const answer = await db.query<StoredDevice>(
    `select id, record, last_address as "lastAddress", last_login_at as "lastLoginAt",
            exists (select 1 from identity.provider_session s
                     where s.device_id = d.id and s.user_id = d.user_id
                       and s.revoked_at is null and s.expires_at > $2) as online
       from identity.provider_device d where user_id = $1
      order by last_login_at desc, id desc limit $3`,
    [userId, now, limit],
  );
  return answer.rows;
}

/** Ends the sign-ins of a device, which is named by our id or by its own. @returns whether the person has it */
export async function endDeviceSessions(
  db: Queryable,
  userId: string,
  { name, at }: { readonly name: string; readonly at: Date },
): Promise<boolean> {
  const answer = await db.query(
    `with device as (
       select id from identity.provider_device
        where user_id = $1 and (id = $2 or unique_id = $2)),
     ended as (
       update identity.provider_session s set revoked_at = $3 from device
        where s.device_id = device.id and s.user_id = $1 and s.revoked_at is null)
     select from device`,
    [userId, name, at],
  );
  return (answer.rowCount ?? 0) > 0;
}

/** @returns whether the person had it */
export async function deleteDevice(db: Queryable, userId: string, name: string): Promise<boolean> {
  const answer = await db.query(
    `delete from identity.provider_device
      where user_id = $1 and (id = $2 or unique_id = $2)`,
    [userId, name],
  );
  return (answer.rowCount ?? 0) > 0;
}
