import type { Queryable } from '../database/in-transaction.ts';

/** An account elsewhere that belongs to a person (docs/design/sign-in.md, section 3, "User", identities). */
export interface OutsideIdentity {
  readonly id: string;
  readonly userId: string;
  readonly userPoolId: string;
  readonly extIdpId: string;
  readonly connectionId: string;
  /** Such as `github`, or a protocol of an enterprise. */
  readonly provider: string;
  readonly type: string;
  readonly isSocial: boolean;
  readonly openid: string;
  readonly userIdInIdp: string;
  readonly profile: Readonly<Record<string, unknown>>;
}

const COLUMNS = `id, user_id as "userId", user_pool_id as "userPoolId", ext_idp_id as "extIdpId",
  connection_id as "connectionId", provider, type, is_social as "isSocial", openid,
  user_id_in_idp as "userIdInIdp", profile`;

export async function listIdentities(db: Queryable, userId: string): Promise<OutsideIdentity[]> {
  const answer = await db.query<OutsideIdentity>(
    `select ${COLUMNS} from identity.provider_identity where user_id = $1 order by created_at, id`,
    [userId],
  );
  return answer.rows;
}

export async function findIdentity(
  db: Queryable,
  where: Pick<OutsideIdentity, 'userPoolId' | 'connectionId' | 'userIdInIdp'>,
): Promise<OutsideIdentity | undefined> {
  const answer = await db.query<OutsideIdentity>(
    `select ${COLUMNS} from identity.provider_identity
      where user_pool_id = $1 and connection_id = $2 and user_id_in_idp = $3`,
    [where.userPoolId, where.connectionId, where.userIdInIdp],
  );
  return answer.rows[0];
}

/** @returns false if that account is already linked to a user */
export async function insertIdentity(
  db: Queryable,
  identity: OutsideIdentity,
  at: Date,
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.provider_identity (id, user_id, user_pool_id, ext_idp_id, connection_id,
       provider, type, is_social, openid, user_id_in_idp, profile, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
    [
      identity.id,
      identity.userId,
      identity.userPoolId,
      identity.extIdpId,
      identity.connectionId,
      identity.provider,
      identity.type,
      identity.isSocial,
      identity.openid,
      identity.userIdInIdp,
      JSON.stringify(identity.profile),
      at,
    ],
  );
  return answer.rowCount === 1;
}
