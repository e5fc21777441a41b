import type { Queryable } from './in-transaction.ts';

export interface StoredCredential {
  readonly accessKeyId: string;
  readonly secretBox: Buffer;
  readonly sessionTokenHash: Buffer;
  readonly identityId: string;
  /** Null for a guest. */
  readonly sub: string | null;
  readonly originJti: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A credential with what decides, at the moment of use, whether it still counts. */
export interface CredentialInUse extends StoredCredential {
  readonly username: string | null;
  readonly enabled: boolean | null;
  readonly revoked: boolean;
  readonly groups: readonly string[];
}

export async function insertCredential(db: Queryable, credential: StoredCredential): Promise<void> {
  await db.query(
    `insert into identity.temporary_credential (access_key_id, secret_box, session_token_hash,
       identity_id, sub, origin_jti, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      credential.accessKeyId,
      credential.secretBox,
      credential.sessionTokenHash,
      credential.identityId,
      credential.sub,
      credential.originJti,
      credential.createdAt,
      credential.expiresAt,
    ],
  );
}

/** Groups are those of now, not of the moment when the credential was made: a right taken away is gone. */
export async function findCredentialInUse(
  db: Queryable,
  accessKeyId: string,
): Promise<CredentialInUse | undefined> {
  const answer = await db.query<CredentialInUse>(
    `select c.access_key_id as "accessKeyId", c.secret_box as "secretBox",
            c.session_token_hash as "sessionTokenHash", c.identity_id as "identityId", c.sub,
            c.origin_jti as "originJti", c.created_at as "createdAt", c.expires_at as "expiresAt",
            u.username, u.enabled,
            exists (select 1 from identity.revoked_origin r where r.origin_jti = c.origin_jti) as revoked,
            array(select g.name from identity.group_membership m
                    join identity.user_group g on g.name = m.group_name
                   where m.sub = c.sub order by g.precedence nulls last, g.name) as groups
       from identity.temporary_credential c left join identity.pool_user u on u.sub = c.sub
      where c.access_key_id = $1`,
    [accessKeyId],
  );
  return answer.rows[0];
}
