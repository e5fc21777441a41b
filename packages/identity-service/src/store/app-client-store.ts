import type { Queryable } from './in-transaction.ts';

export interface AppClient {
  readonly clientId: string;
  readonly authFlows: readonly string[];
  readonly userExistenceErrors: 'LEGACY' | 'ENABLED';
}

export async function findAppClient(
  db: Queryable,
  clientId: string,
): Promise<AppClient | undefined> {
  const answer = await db.query<AppClient>(
    `select client_id as "clientId", auth_flows as "authFlows",
            user_existence_errors as "userExistenceErrors"
       from identity.app_client where client_id = $1`,
    [clientId],
  );
  return answer.rows[0];
}

/** The configured client takes its values from the settings at every start. */
export async function saveAppClient(
  db: Queryable,
  client: AppClient & { readonly name: string },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into identity.app_client (client_id, name, auth_flows, user_existence_errors, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (client_id) do update
       set auth_flows = excluded.auth_flows, user_existence_errors = excluded.user_existence_errors`,
    [client.clientId, client.name, client.authFlows, client.userExistenceErrors, now],
  );
}
