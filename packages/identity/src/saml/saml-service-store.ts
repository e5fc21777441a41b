import type { Queryable } from '../database/in-transaction.ts';

/** Metadata of a service provider. */
export interface SamlService {
  readonly appId: string;
  readonly entityId: string;
  /** ACS URLs; the first one is used for sign-ins started by the provider. */
  readonly acsUrls: readonly string[];
  readonly logoutUrl: string | null;
  /** PEM: its requests must be signed by this key. Null: it does not sign. */
  readonly certificate: string | null;
}

export async function findSamlService(
  db: Queryable,
  appId: string,
): Promise<SamlService | undefined> {
  const answer = await db.query<SamlService>(
    `select app_id as "appId", entity_id as "entityId", acs_urls as "acsUrls", logout_url as "logoutUrl",
       certificate from identity.provider_saml_service where app_id = $1`,
    [appId],
  );
  return answer.rows[0];
}

export async function hasOtherWithEntityId(
  db: Queryable,
  { appId, entityId }: Pick<SamlService, 'appId' | 'entityId'>,
): Promise<boolean> {
  const answer = await db.query(
    'select from identity.provider_saml_service where entity_id = $1 and app_id <> $2',
    [entityId, appId],
  );
  return (answer.rowCount ?? 0) > 0;
}

/** Makes or replaces it. */
export async function upsertSamlService(
  db: Queryable,
  service: SamlService,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_saml_service
       (app_id, entity_id, acs_urls, logout_url, certificate, created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (app_id) do update set entity_id = excluded.entity_id, acs_urls = excluded.acs_urls,
       logout_url = excluded.logout_url, certificate = excluded.certificate,
       modified_at = excluded.modified_at`,
    [service.appId, service.entityId, service.acsUrls, service.logoutUrl, service.certificate, at],
  );
}
