import { sql, type SQL } from 'drizzle-orm';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import type { Executor } from '../platform/database/database.ts';

/** One statement, however many calls. */
export async function insertApiCalls(executor: Executor, calls: readonly ApiCall[]): Promise<void> {
  await executor.execute(sql`
    insert into api_call (id, at, user_id, username, address, kind, path, batch_size, duration_ms, status,
                          error_code, request_id, input)
    select id, at, "userId", username, address, kind, path, "batchSize", "durationMs", status,
           "errorCode", "requestId", input
    from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as call(
      id uuid, at timestamptz, "userId" text, username text, address text, kind text, path text,
      "batchSize" int, "durationMs" float8, status int, "errorCode" int, "requestId" text, input text)
    on conflict (id) do nothing`);
}

export interface ApiCallQuery {
  readonly path: string | null;
  readonly userId: string | null;
  readonly onlyErrors: boolean;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly before: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

export async function selectApiCalls(executor: Executor, query: ApiCallQuery): Promise<ApiCall[]> {
  const conditions: SQL[] = [sql`true`];
  if (query.path) conditions.push(sql`path = ${query.path}`);
  if (query.userId) conditions.push(sql`user_id = ${query.userId}`);
  if (query.onlyErrors) conditions.push(sql`error_code is not null`);
  if (query.requestId) conditions.push(sql`request_id = ${query.requestId}`);
  if (query.from) conditions.push(sql`at >= ${query.from}::timestamptz`);
  if (query.to) conditions.push(sql`at <= ${query.to}::timestamptz`);
  if (query.before)
    conditions.push(sql`(at, id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`);
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, user_id as "userId",
           username, address, kind, path, batch_size as "batchSize", duration_ms as "durationMs", status,
           error_code as "errorCode", request_id as "requestId", input
    from api_call where ${sql.join(conditions, sql` and `)}
    order by api_call.at desc, id desc limit ${query.limit}`);
  return rows as unknown as ApiCall[];
}
