import type { Queryable } from '../database/in-transaction.ts';
import type { Application } from './application.ts';

export interface StoredApplication extends Omit<Application, 'secret'> {
  readonly secretBox: Buffer;
}

const COLUMNS = `app_id as "appId", user_pool_id as "userPoolId", name, description, logo,
  secret_box as "secretBox", redirect_uris as "redirectUris", logout_redirect_uris as "logoutRedirectUris",
  protocols, second_step as "secondStep", allowed_origins as "allowedOrigins",
  registration`;

export async function findApplication(
  db: Queryable,
  appId: string,
): Promise<StoredApplication | undefined> {
  const answer = await db.query<StoredApplication>(
    `select ${COLUMNS} from identity.provider_application where app_id = $1`,
    [appId],
  );
  return answer.rows[0];
}

/** Oldest first; there are few. */
export async function listApplications(db: Queryable): Promise<StoredApplication[]> {
  const answer = await db.query<StoredApplication>(
    `select ${COLUMNS} from identity.provider_application order by created_at, app_id`,
  );
  return answer.rows;
}

export async function upsertApplication(
  db: Queryable,
  application: StoredApplication,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_application (app_id, user_pool_id, name, description, logo,
       secret_box, redirect_uris, logout_redirect_uris, protocols, second_step, allowed_origins, registration,
       created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12, $13, $9, $9)
     on conflict (app_id) do update set user_pool_id = excluded.user_pool_id, name = excluded.name,
       description = excluded.description, logo = excluded.logo, secret_box = excluded.secret_box,
       redirect_uris = excluded.redirect_uris, logout_redirect_uris = excluded.logout_redirect_uris,
       protocols = excluded.protocols, second_step = excluded.second_step,
       allowed_origins = excluded.allowed_origins, registration = excluded.registration, modified_at = excluded.modified_at`,
    [
      application.appId,
      application.userPoolId,
      application.name,
      application.description,
      application.logo,
      application.secretBox,
      application.redirectUris,
      application.logoutRedirectUris,
      at,
      application.protocols,
      application.secondStep,
      application.allowedOrigins,
      application.registration,
    ],
  );
}

/**
 * Locks the application until the end of the transaction.
 * @returns whether it exists
 */
export async function lockApplication(db: Queryable, appId: string): Promise<boolean> {
  const answer = await db.query(
    'select from identity.provider_application where app_id = $1 for update',
    [appId],
  );
  return answer.rowCount === 1;
}

/** With its access keys and its SAML service. */
export async function deleteApplication(db: Queryable, appId: string): Promise<void> {
  await db.query('delete from identity.provider_application where app_id = $1', [appId]);
}
