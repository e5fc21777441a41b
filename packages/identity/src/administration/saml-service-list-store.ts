import type { SamlServiceRow } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../database/in-transaction.ts';

type StoredRow = Omit<SamlServiceRow, 'certificateEndsAt'>;

/** By the name of their application: one for each at most, so they come whole. */
export async function selectSamlServices(db: Queryable): Promise<StoredRow[]> {
  const answer = await db.query<Omit<StoredRow, 'modifiedAt'> & { modifiedAt: Date }>(
    `select s.app_id as "appId", a.name as application, s.entity_id as "entityId", s.acs_urls as "acsUrls",
            s.logout_url as "logoutUrl", s.certificate, s.modified_at as "modifiedAt"
       from identity.provider_saml_service s join identity.provider_application a on a.app_id = s.app_id
      order by a.name, s.app_id`,
  );
  return answer.rows.map(({ modifiedAt, ...row }) => ({
    ...row,
    modifiedAt: modifiedAt.toISOString(),
  }));
}

/** Null where the application has none. */
export async function samlServiceModifiedAt(db: Queryable, appId: string): Promise<string | null> {
  const answer = await db.query<{ modifiedAt: Date }>(
    'select modified_at as "modifiedAt" from identity.provider_saml_service where app_id = $1',
    [appId],
  );
  return answer.rows[0]?.modifiedAt.toISOString() ?? null;
}

/** @returns its entity id; undefined when there was none */
export async function deleteSamlService(db: Queryable, appId: string): Promise<string | undefined> {
  const answer = await db.query<{ entityId: string }>(
    `delete from identity.provider_saml_service where app_id = $1 returning entity_id as "entityId"`,
    [appId],
  );
  return answer.rows[0]?.entityId;
}
