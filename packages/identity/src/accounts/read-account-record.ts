import type { Queryable } from '../database/in-transaction.ts';

/** Rows of one table of the identity service, as JSON. */
export interface AccountRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Tables with rows of an account, and the column with its ID. */
const TABLES: readonly (readonly [table: string, column: string])[] = [
  ['account', 'account_id'],
  ['pool_user', 'account_id'],
  ['group_membership', 'sub'],
  ['refresh_token', 'sub'],
  ['familiar_place', 'sub'],
  ['passkey_owner', 'owner_id'],
  ['passkey', 'owner_id'],
  ['provider_user', 'id'],
  ['provider_identity', 'user_id'],
  ['provider_session', 'user_id'],
  ['provider_department_member', 'user_id'],
  ['provider_role_member', 'user_id'],
  ['provider_totp', 'user_id'],
  ['provider_face', 'user_id'],
  ['provider_device', 'user_id'],
  ['provider_principal', 'user_id'],
  ['provider_event', 'user_id'],
  ['provider_custom_value', 'target_id'],
  ['provider_grant', 'principal_id'],
];

/** Columns that are not exported: secrets, hashes, and templates. */
const SECRET = /hash|secret|password|box|token|sealed|template|features|descriptor|seed|salt/;
const MAX_ROWS = 10_000;

/** The data that the identity service stores about an account, without secrets. */
export async function readAccountRecord(db: Queryable, accountId: string): Promise<AccountRows[]> {
  const found: AccountRows[] = [];
  for (const [table, column] of TABLES) {
    const answer = await db.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from identity.${table} t where t.${column}::text = $1 limit $2`,
      [accountId, MAX_ROWS],
    );
    const rows = answer.rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !SECRET.test(name))),
    );
    if (rows.length > 0) found.push({ table, rows });
  }
  return found;
}
