import type { ProgramKey } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../../store/in-transaction.ts';

/** Where a page begins: behind this key. */
export interface AccessKeyPlace {
  readonly createdAt: string;
  readonly accessKeyId: string;
}

/** A key, and the lease with which it ends. */
export type ListedKey = Omit<ProgramKey, 'ended'> & { readonly lease: string | null };

/** Newest first; only the one of `id` where that is given. */
export async function selectAccessKeys(
  db: Queryable,
  {
    after,
    id,
    leaseId,
    limit,
  }: {
    readonly after?: AccessKeyPlace | undefined;
    readonly id?: string;
    readonly leaseId?: string;
    readonly limit: number;
  },
): Promise<ListedKey[]> {
  const answer = await db.query<
    Omit<ListedKey, 'createdAt' | 'expiresAt' | 'revokedAt'> & {
      createdAt: Date;
      expiresAt: Date | null;
      revokedAt: Date | null;
    }
  >(
    `select k.access_key_id as "accessKeyId", k.app_id as "appId", a.name as application, k.name, k.scopes,
            k.created_at as "createdAt", k.disabled_at as "revokedAt", k.expires_at as "expiresAt", k.lease
       from identity.provider_access_key k join identity.provider_application a on a.app_id = k.app_id
      where ($1::timestamptz is null or (k.created_at, k.access_key_id) < ($1, $2))
        and ($3::text is null or k.access_key_id = $3) and ($5::text is null or k.lease = $5)
      order by k.created_at desc, k.access_key_id desc limit $4`,
    [after?.createdAt ?? null, after?.accessKeyId ?? null, id ?? null, limit, leaseId ?? null],
  );
  return answer.rows.map(({ createdAt, expiresAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}

/** What its makers call it. */
export async function nameAccessKey(
  db: Queryable,
  accessKeyId: string,
  name: string,
): Promise<void> {
  await db.query('update identity.provider_access_key set name = $2 where access_key_id = $1', [
    accessKeyId,
    name,
  ]);
}
