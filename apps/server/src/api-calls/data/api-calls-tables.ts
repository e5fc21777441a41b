import type { ApiCall } from '@deviceportal/contract/api-calls';
import { doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** Finished API calls. */
export const apiCall = pgTable(
  'api_call',
  {
    id: uuid().primaryKey(),
    at: moment('at').notNull(),
    userId: text('user_id'),
    username: text(),
    address: text().notNull(),
    kind: text().$type<ApiCall['kind']>().notNull(),
    path: text().notNull(),
    batchSize: integer('batch_size').notNull(),
    durationMs: doublePrecision('duration_ms').notNull(),
    status: integer().notNull(),
    errorCode: integer('error_code'),
    refusal: text().$type<NonNullable<ApiCall['refusal']>>(),
    /** Name of the API token of the call; null for a session. */
    apiToken: text('api_token'),
    requestId: text('request_id').notNull(),
    input: text(),
  },
  (table) => [
    index('api_call_newest').on(table.at, table.id),
    index('api_call_by_user').on(table.userId, table.at),
    index('api_call_by_path').on(table.path, table.at),
    index('api_call_by_request').on(table.requestId),
  ],
);
