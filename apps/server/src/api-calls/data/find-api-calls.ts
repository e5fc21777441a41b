import { and, desc, sql } from 'drizzle-orm';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import type { Executor } from '../../platform/database/database.ts';
import { isoMicrosOf } from '../../platform/database/iso-micros-of.ts';
import { apiCallConditions, type ApiCallFilter } from './api-call-conditions.ts';
import { apiCall } from './api-calls-tables.ts';

export interface ApiCallQuery extends ApiCallFilter {
  readonly before: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

/** Newest first. */
export async function findApiCalls(on: Executor, query: ApiCallQuery): Promise<ApiCall[]> {
  const { before, limit } = query;
  return on
    .select({
      id: apiCall.id,
      at: isoMicrosOf(apiCall.at),
      userId: apiCall.userId,
      username: apiCall.username,
      address: apiCall.address,
      kind: apiCall.kind,
      path: apiCall.path,
      batchSize: apiCall.batchSize,
      durationMs: apiCall.durationMs,
      status: apiCall.status,
      errorCode: apiCall.errorCode,
      refusal: apiCall.refusal,
      apiToken: apiCall.apiToken,
      requestId: apiCall.requestId,
      input: apiCall.input,
    })
    .from(apiCall)
    .where(
      and(
        apiCallConditions(query),
        before === null
          ? undefined
          : sql`(${apiCall.at}, ${apiCall.id}) < (${before.at}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(apiCall.at), desc(apiCall.id))
    .limit(limit);
}
