import type pg from 'pg';
import { inTransaction, type Queryable } from '../database/in-transaction.ts';

export interface RefreshToken {
  readonly tokenHash: Buffer;
  /** ID of the sign-in from which the token comes. */
  readonly originJti: string;
  readonly clientId: string;
  readonly sub: string;
  readonly eventId: string;
  readonly authTime: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** Time of the first exchange for a new token. */
  readonly rotatedAt: Date | null;
}

const COLUMNS = `token_hash as "tokenHash", origin_jti as "originJti", client_id as "clientId", sub,
  event_id as "eventId", auth_time as "authTime", expires_at as "expiresAt", revoked_at as "revokedAt",
  rotated_at as "rotatedAt"`;

/**
 * Opens a session unless the user is disabled. The row lock orders it before or after a change of the user: an earlier
 * sign-in is ended by the change, and a later one is rejected here.
 * @returns false if the user is disabled or deleted
 */
export async function insertRefreshToken(db: Queryable, token: RefreshToken): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.refresh_token
       (token_hash, origin_jti, client_id, sub, event_id, auth_time, expires_at)
     select $1::bytea, $2::uuid, $3::text, sub, $5::uuid, $6::timestamptz, $7::timestamptz
       from identity.pool_user where sub = $4 and enabled for share`,
    [
      token.tokenHash,
      token.originJti,
      token.clientId,
      token.sub,
      token.eventId,
      token.authTime,
      token.expiresAt,
    ],
  );
  return answer.rowCount === 1;
}

export async function findRefreshToken(
  db: Queryable,
  tokenHash: Buffer,
): Promise<RefreshToken | undefined> {
  const answer = await db.query<RefreshToken>(
    `select ${COLUMNS} from identity.refresh_token where token_hash = $1`,
    [tokenHash],
  );
  return answer.rows[0];
}

/** The latest end of the session of a sign-in. */
export async function findSessionEnd(db: Queryable, originJti: string): Promise<Date | undefined> {
  const answer = await db.query<{ expiresAt: Date }>(
    'select max(expires_at) as "expiresAt" from identity.refresh_token where origin_jti = $1',
    [originJti],
  );
  return answer.rows[0]?.expiresAt ?? undefined;
}

/** @returns true only for the first exchange of a refresh token */
export async function markRotated(db: Queryable, tokenHash: Buffer, now: Date): Promise<boolean> {
  const answer = await db.query(
    'update identity.refresh_token set rotated_at = $2 where token_hash = $1 and rotated_at is null',
    [tokenHash, now],
  );
  return answer.rowCount === 1;
}

/** An active session. */
export interface OpenSignIn {
  readonly originJti: string;
  readonly authTime: Date;
  readonly expiresAt: Date;
}

/** The active sessions of a user, newest first. */
export async function listOpenSignIns(
  db: Queryable,
  sub: string,
  now: Date,
): Promise<OpenSignIn[]> {
  const answer = await db.query<OpenSignIn>(
    `select origin_jti as "originJti", min(auth_time) as "authTime", max(expires_at) as "expiresAt"
       from identity.refresh_token
      where sub = $1 and revoked_at is null and expires_at > $2
      group by origin_jti order by min(auth_time) desc`,
    [sub, now],
  );
  return answer.rows;
}

interface RevocationTimes {
  readonly now: Date;
  readonly keepUntil: Date;
}

/** Ends a sign-in: its refresh tokens, and all tokens and credentials with the same `origin_jti`. */
export async function revokeOrigin(
  pool: pg.Pool,
  origin: { readonly originJti: string; readonly sub: string },
  times: RevocationTimes,
): Promise<void> {
  await inTransaction(pool, (client) => revokeOriginWithin(client, origin, times));
}

/** The same in an existing transaction. */
export async function revokeOriginWithin(
  client: pg.PoolClient,
  origin: { readonly originJti: string; readonly sub: string },
  times: RevocationTimes,
): Promise<void> {
  await standAlone(client, origin.sub);
  await client.query(
    `with ended as (
       update identity.refresh_token set revoked_at = $2 where origin_jti = $1 and revoked_at is null)
     insert into identity.revoked_origin (origin_jti, revoked_at, expires_at) values ($1, $2, $3)
     on conflict do nothing`,
    [origin.originJti, times.now, times.keepUntil],
  );
}

/** Ends all sign-ins of a user. */
export async function revokeAllOfUser(
  pool: pg.Pool,
  sub: string,
  times: RevocationTimes,
): Promise<void> {
  await inTransaction(pool, (client) => revokeAllWithin(client, sub, times));
}

/** The same in an existing transaction. */
export async function revokeAllWithin(
  client: pg.PoolClient,
  sub: string,
  times: RevocationTimes,
): Promise<void> {
  await standAlone(client, sub);
  await client.query(
    `with ended as (
       update identity.refresh_token set revoked_at = $2 where sub = $1 and revoked_at is null
       returning origin_jti)
     insert into identity.revoked_origin (origin_jti, revoked_at, expires_at)
     select distinct origin_jti, $2::timestamptz, $3::timestamptz from ended
     on conflict do nothing`,
    [sub, times.now, times.keepUntil],
  );
}

/** Waits for refresh tokens of this user that are being created, so that the revocation includes them. */
async function standAlone(client: pg.PoolClient, sub: string): Promise<void> {
  await client.query('select 1 from identity.pool_user where sub = $1 for update', [sub]);
}

/** Blocks revocations for this user until the transaction ends. */
export async function holdOffRevocation(db: Queryable, sub: string): Promise<void> {
  await db.query('select 1 from identity.pool_user where sub = $1 for share', [sub]);
}

export async function isOriginRevoked(db: Queryable, originJti: string): Promise<boolean> {
  const answer = await db.query('select 1 from identity.revoked_origin where origin_jti = $1', [
    originJti,
  ]);
  return answer.rowCount === 1;
}

/**
 * Whether a session is active: it has a refresh token that is neither revoked nor expired, and its
 * user can sign in.
 */
export async function isSignInOpen(db: Queryable, originJti: string, now: Date): Promise<boolean> {
  const answer = await db.query(
    `select 1 from identity.refresh_token t join identity.pool_user u on u.sub = t.sub
      where t.origin_jti = $1 and t.revoked_at is null and t.expires_at > $2 and u.enabled limit 1`,
    [originJti, now],
  );
  return answer.rowCount === 1;
}

/** Of these sessions, the active ones. */
export async function findOpenSignIns(
  db: Queryable,
  originJtis: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (originJtis.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(
    `select distinct t.origin_jti as id
       from identity.refresh_token t join identity.pool_user u on u.sub = t.sub
      where t.origin_jti = any($1::uuid[]) and t.revoked_at is null and t.expires_at > $2
        and u.enabled`,
    [originJtis, now],
  );
  return new Set(rows.map(({ id }) => id));
}
