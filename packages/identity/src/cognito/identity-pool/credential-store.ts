import type { Queryable } from '../../database/in-transaction.ts';

export interface StoredCredential {
  readonly accessKeyId: string;
  readonly secretBox: Buffer;
  readonly sessionTokenHash: Buffer;
  /** Null for a role session of an application. */
  readonly identityId: string | null;
  readonly roleArn: string;
  readonly sessionName: string;
  /** Documents that narrow what the role allows; null: nothing does. */
  readonly sessionPolicies: readonly unknown[] | null;
  readonly sourceIdentity: string | null;
  /** The access key that assumed the role; what it made ends with it. */
  readonly parentAccessKeyId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * Owner of a credential. For a user of the pool, only the keys are stored; the rest is read at use.
 */
export interface CredentialOwner {
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** Null for a person who signed in at another provider. */
  readonly originJti: string | null;
}

/** A credential with what decides, at the moment of use, whether it still counts. */
export interface CredentialInUse extends StoredCredential {
  /** Null for a guest. */
  readonly sub: string | null;
  /** Null for a guest, and for a person who signed in at another provider. */
  readonly originJti: string | null;
  readonly username: string | null;
  /**
   * Whether the pool permits the user to sign in. For users of other providers, the portal decides.
   */
  readonly enabled: boolean | null;
  readonly revoked: boolean;
  readonly groups: readonly string[];
}

export async function insertCredential(
  db: Queryable,
  credential: StoredCredential & { readonly person: CredentialOwner | null },
): Promise<void> {
  const { person } = credential;
  const own = person?.originJti === null ? null : person;
  const outside = person?.originJti === null ? person : null;
  await db.query(
    `insert into identity.temporary_credential (access_key_id, secret_box, session_token_hash,
       identity_id, sub, origin_jti, created_at, expires_at, role_arn, session_name, session_policies,
       source_identity, parent_access_key_id, outside_subject, outside_username, outside_groups)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      credential.accessKeyId,
      credential.secretBox,
      credential.sessionTokenHash,
      credential.identityId,
      own?.sub ?? null,
      own?.originJti ?? null,
      credential.createdAt,
      credential.expiresAt,
      credential.roleArn,
      credential.sessionName,
      credential.sessionPolicies === null ? null : JSON.stringify(credential.sessionPolicies),
      credential.sourceIdentity,
      credential.parentAccessKeyId,
      outside?.sub ?? null,
      outside?.username ?? null,
      outside?.groups ?? null,
    ],
  );
}

/**
 * Groups are the current ones, not those at the time of issue, so removed permissions apply
 * immediately. Data of another provider is as of the last login.
 */
export async function findCredentialInUse(
  db: Queryable,
  accessKeyId: string,
): Promise<CredentialInUse | undefined> {
  const answer = await db.query<CredentialInUse>(
    `select c.access_key_id as "accessKeyId", c.secret_box as "secretBox",
            c.session_token_hash as "sessionTokenHash", c.identity_id as "identityId",
            coalesce(c.sub::text, c.outside_subject) as sub,
            c.origin_jti as "originJti", c.created_at as "createdAt", c.expires_at as "expiresAt",
            c.role_arn as "roleArn", c.session_name as "sessionName",
            c.session_policies as "sessionPolicies", c.source_identity as "sourceIdentity",
            c.parent_access_key_id as "parentAccessKeyId",
            coalesce(u.username, c.outside_username) as username,
            case when c.outside_subject is null then u.enabled else true end as enabled,
            exists (select 1 from identity.revoked_origin r where r.origin_jti = c.origin_jti)
              or exists (select 1 from identity.access_key k
                          where k.access_key_id = c.parent_access_key_id and k.revoked_at is not null)
              as revoked,
            coalesce(c.outside_groups,
                     array(select g.name from identity.group_membership m
                             join identity.user_group g on g.name = m.group_name
                            where m.sub = c.sub order by g.precedence nulls last, g.name)) as groups
       from identity.temporary_credential c left join identity.pool_account u on u.sub = c.sub
      where c.access_key_id = $1`,
    [accessKeyId],
  );
  return answer.rows[0];
}
