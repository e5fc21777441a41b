import type { ProviderApplication } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../database/in-transaction.ts';

type ApplicationRow = Omit<ProviderApplication, 'isOwn'>;

/** All of them, the oldest first, or the one of this id; without their secrets. */
export async function selectApplicationRows(
  db: Queryable,
  appId?: string,
): Promise<ApplicationRow[]> {
  const answer = await db.query<
    Omit<ApplicationRow, 'createdAt' | 'modifiedAt'> & { createdAt: Date; modifiedAt: Date }
  >(
    `select a.app_id as "appId", a.name, coalesce(a.description, '') as description,
            a.redirect_uris as "redirectUris", a.logout_redirect_uris as "logoutRedirectUris",
            a.allowed_origins as "allowedOrigins", a.protocols, a.second_step as "secondStep", a.registration,
            (select count(*)::int from identity.access_key k
              where k.app_id = a.app_id and k.revoked_at is null) as "accessKeys",
            exists (select from identity.provider_saml_service s where s.app_id = a.app_id) as "hasSamlService",
            a.created_at as "createdAt", a.modified_at as "modifiedAt"
       from identity.provider_application a where $1::text is null or a.app_id = $1
      order by a.created_at, a.app_id`,
    [appId ?? null],
  );
  return answer.rows.map(({ createdAt, modifiedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    modifiedAt: modifiedAt.toISOString(),
  }));
}

/** One act counts at a time. */
export async function countApplications(db: Queryable): Promise<number> {
  await db.query(`select pg_advisory_xact_lock(hashtext('provider applications'))`);
  const answer = await db.query<{ count: number }>(
    'select count(*)::int as count from identity.provider_application',
  );
  return answer.rows[0]?.count ?? 0;
}
