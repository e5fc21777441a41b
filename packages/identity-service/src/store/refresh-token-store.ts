import type { Queryable } from './in-transaction.ts';

export interface RefreshToken {
  readonly tokenHash: Buffer;
  /** Names the sign-in that all its tokens come from. */
  readonly originJti: string;
  readonly clientId: string;
  readonly sub: string;
  readonly eventId: string;
  readonly authTime: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

const COLUMNS = `token_hash as "tokenHash", origin_jti as "originJti", client_id as "clientId", sub,
  event_id as "eventId", auth_time as "authTime", expires_at as "expiresAt", revoked_at as "revokedAt"`;

/**
 * Opens a session unless the user has been disabled. The row lock puts it before or after a change of the user: a
 * sign-in that comes first is ended by the change, one that comes later is refused here.
 * @returns false when the user is disabled or gone
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

/** When the session of this sign-in ends at the latest. */
export async function findSessionEnd(db: Queryable, originJti: string): Promise<Date | undefined> {
  const answer = await db.query<{ expiresAt: Date }>(
    'select max(expires_at) as "expiresAt" from identity.refresh_token where origin_jti = $1',
    [originJti],
  );
  return answer.rows[0]?.expiresAt ?? undefined;
}

/** Ends one sign-in: its refresh tokens, and every token and credential with the same `origin_jti`. */
export async function revokeOrigin(
  db: Queryable,
  originJti: string,
  times: { readonly now: Date; readonly keepUntil: Date },
): Promise<void> {
  await db.query(
    `with ended as (
       update identity.refresh_token set revoked_at = $2 where origin_jti = $1 and revoked_at is null)
     insert into identity.revoked_origin (origin_jti, revoked_at, expires_at) values ($1, $2, $3)
     on conflict do nothing`,
    [originJti, times.now, times.keepUntil],
  );
}

/** Ends every sign-in of a person, in one statement. */
export async function revokeAllOfUser(
  db: Queryable,
  sub: string,
  times: { readonly now: Date; readonly keepUntil: Date },
): Promise<void> {
  await db.query(
    `with ended as (
       update identity.refresh_token set revoked_at = $2 where sub = $1 and revoked_at is null
       returning origin_jti)
     insert into identity.revoked_origin (origin_jti, revoked_at, expires_at)
     select distinct origin_jti, $2::timestamptz, $3::timestamptz from ended
     on conflict do nothing`,
    [sub, times.now, times.keepUntil],
  );
}

export async function isOriginRevoked(db: Queryable, originJti: string): Promise<boolean> {
  const answer = await db.query('select 1 from identity.revoked_origin where origin_jti = $1', [
    originJti,
  ]);
  return answer.rowCount === 1;
}
