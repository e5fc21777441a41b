import type { Queryable } from '../../database/in-transaction.ts';

export interface AppClient {
  readonly clientId: string;
  readonly authFlows: readonly string[];
  readonly userExistenceErrors: 'LEGACY' | 'ENABLED';
  /** The client's secret in a secret box, for the owner `clientId`; null for browsers, which can keep none. */
  readonly secretBox: Buffer | null;
  /** Whether every refresh gives a new refresh token. */
  readonly refreshTokenRotation: boolean;
  /** How long a refresh token still works after its successor was given out: 0 to 60. */
  readonly retryGracePeriodSeconds: number;
  /** Whether RevokeToken is offered. */
  readonly tokenRevocation: boolean;
}

export async function findAppClient(
  db: Queryable,
  clientId: string,
): Promise<AppClient | undefined> {
  const answer = await db.query<AppClient>(
    `select client_id as "clientId", auth_flows as "authFlows",
            user_existence_errors as "userExistenceErrors", secret_box as "secretBox",
            refresh_token_rotation as "refreshTokenRotation",
            retry_grace_period_seconds as "retryGracePeriodSeconds",
            token_revocation as "tokenRevocation"
       from identity.app_client where client_id = $1`,
    [clientId],
  );
  return answer.rows[0];
}

/** Makes a client, or gives an existing one these values. */
export async function saveAppClient(
  db: Queryable,
  client: AppClient & { readonly name: string },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into identity.app_client (client_id, name, auth_flows, user_existence_errors, secret_box,
       refresh_token_rotation, retry_grace_period_seconds, token_revocation, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (client_id) do update set
       auth_flows = excluded.auth_flows, user_existence_errors = excluded.user_existence_errors,
       secret_box = excluded.secret_box, refresh_token_rotation = excluded.refresh_token_rotation,
       retry_grace_period_seconds = excluded.retry_grace_period_seconds,
       token_revocation = excluded.token_revocation`,
    [
      client.clientId,
      client.name,
      client.authFlows,
      client.userExistenceErrors,
      client.secretBox,
      client.refreshTokenRotation,
      client.retryGracePeriodSeconds,
      client.tokenRevocation,
      now,
    ],
  );
}
