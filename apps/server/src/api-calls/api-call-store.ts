import { sql, type SQL } from 'drizzle-orm';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import type { Executor } from '../platform/database/database.ts';

/**
 * One statement, however many calls; those that are there already are left alone.
 * @param calls each an `ApiCall` as JSON text
 */
export async function insertApiCalls(executor: Executor, calls: readonly string[]): Promise<void> {
  if (calls.length === 0) return;
  await executor.execute(sql`
    insert into api_call (id, at, user_id, username, address, kind, path, batch_size, duration_ms, status,
                          error_code, refusal, request_id, input)
    select id, at, "userId", username, address, kind, path, "batchSize", "durationMs", status,
           "errorCode", refusal, "requestId", input
    from jsonb_to_recordset(${`[${calls.join()}]`}::jsonb) as call(
      id uuid, at timestamptz, "userId" text, username text, address text, kind text, path text,
      "batchSize" int, "durationMs" float8, status int, "errorCode" int, refusal text, "requestId" text, input text)
    on conflict (id) do nothing`);
}

/** Which calls: each condition that is not null holds. */
export interface ApiCallFilter {
  /** `apiCallSight` */
  readonly sight: SQL;
  readonly path: string | null;
  readonly userId: string | null;
  readonly onlyErrors: boolean;
  readonly errorCode: number | null;
  readonly minDurationMs: number | null;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export interface ApiCallQuery extends ApiCallFilter {
  readonly before: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

export function conditionsOf(filter: ApiCallFilter): SQL[] {
  const conditions: SQL[] = [filter.sight];
  if (filter.path) conditions.push(sql`path = ${filter.path}`);
  if (filter.userId) conditions.push(sql`user_id = ${filter.userId}`);
  if (filter.onlyErrors) conditions.push(sql`error_code is not null`);
  if (filter.errorCode !== null) conditions.push(sql`error_code = ${filter.errorCode}`);
  if (filter.minDurationMs !== null) conditions.push(sql`duration_ms >= ${filter.minDurationMs}`);
  if (filter.requestId) conditions.push(sql`request_id = ${filter.requestId}`);
  if (filter.from) conditions.push(sql`at >= ${filter.from}::timestamptz`);
  if (filter.to) conditions.push(sql`at <= ${filter.to}::timestamptz`);
  return conditions;
}

export async function selectApiCalls(executor: Executor, query: ApiCallQuery): Promise<ApiCall[]> {
  const conditions = conditionsOf(query);
  if (query.before)
    conditions.push(sql`(at, id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`);
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, user_id as "userId",
           username, address, kind, path, batch_size as "batchSize", duration_ms as "durationMs", status,
           error_code as "errorCode", refusal, request_id as "requestId", input
    from api_call where ${sql.join(conditions, sql` and `)}
    order by api_call.at desc, id desc limit ${query.limit}`);
  return rows as unknown as ApiCall[];
}
