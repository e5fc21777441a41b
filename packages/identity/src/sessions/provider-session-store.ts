import type { Queryable } from '../database/in-transaction.ts';

/** A stored session. */
export interface ProviderSession {
  readonly id: string;
  readonly userId: string;
  readonly appId: string;
  /** Sign-in method, such as `password` or `email-code`. */
  readonly method: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly deviceId: string | null;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `id, user_id as "userId", app_id as "appId", method, address, user_agent as "userAgent",
  device_id as "deviceId", created_at as "createdAt", used_at as "usedAt", expires_at as "expiresAt"`;

export async function insertSession(db: Queryable, session: ProviderSession): Promise<void> {
  await db.query(
    `insert into identity.provider_session (id, user_id, app_id, method, address, user_agent,
       device_id, created_at, used_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      session.id,
      session.userId,
      session.appId,
      session.method,
      session.address,
      session.userAgent,
      session.deviceId,
      session.createdAt,
      session.usedAt,
      session.expiresAt,
    ],
  );
}

/** Undefined if it is ended, expired, or unknown. */
export async function findOpenSession(
  db: Queryable,
  id: string,
  now: Date,
): Promise<ProviderSession | undefined> {
  const answer = await db.query<ProviderSession>(
    `select ${COLUMNS} from identity.provider_session
      where id = $1 and expires_at > $2 and revoked_at is null`,
    [id, now],
  );
  return answer.rows[0];
}

/** Newest first. */
export async function listOpenSessions(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<ProviderSession[]> {
  const answer = await db.query<ProviderSession>(
    `select ${COLUMNS} from identity.provider_session
      where user_id = $1 and expires_at > $2 and revoked_at is null order by created_at desc`,
    [userId, now],
  );
  return answer.rows;
}

export async function touchSession(db: Queryable, id: string, at: Date): Promise<void> {
  await db.query('update identity.provider_session set used_at = $2 where id = $1', [id, at]);
}

export async function setSessionDevice(db: Queryable, id: string, deviceId: string): Promise<void> {
  await db.query('update identity.provider_session set device_id = $2 where id = $1', [
    id,
    deviceId,
  ]);
}

export async function revokeSession(db: Queryable, id: string, at: Date): Promise<boolean> {
  const answer = await db.query(
    'update identity.provider_session set revoked_at = $2 where id = $1 and revoked_at is null',
    [id, at],
  );
  return answer.rowCount === 1;
}

/** Ends all sessions of a user, except the given one. @returns the number of ended sessions */
export async function revokeSessionsOf(
  db: Queryable,
  userId: string,
  { at, except }: { readonly at: Date; readonly except: string | undefined },
): Promise<number> {
  const answer = await db.query(
    `update identity.provider_session set revoked_at = $2
      where user_id = $1 and revoked_at is null and id is distinct from $3`,
    [userId, at, except ?? null],
  );
  return answer.rowCount ?? 0;
}

/** Ends all sessions of an application. */
export async function endSessionsOfApplication(
  db: Queryable,
  appId: string,
  at: Date,
): Promise<void> {
  await db.query(
    `update identity.provider_session set revoked_at = $2
      where app_id = $1 and revoked_at is null and expires_at > $2`,
    [appId, at],
  );
}
