import {
  apiCallHistoryInput,
  listApiCallsInput,
  type ApiCall,
  type ApiCallHistory,
} from '@deviceportal/contract/api-calls';
import type { Page } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import { z } from 'zod';
import { permitted, router } from '../platform/api.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Database } from '../platform/database/database.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { apiCallVisibility } from './data/api-call-visibility.ts';
import { findApiCalls } from './data/find-api-calls.ts';
import { summarizeApiCalls, type ApiCallSummary } from './data/summarize-api-calls.ts';
import { getApiCallHistory } from './get-api-call-history.ts';
import { utcMomentSchema } from '@deviceportal/contract/moment';
import { refuse } from '@deviceportal/contract/refuse';

const summarizeApiCallsInput = z.object({
  /** How far back, in minutes. */
  minutes: z
    .int()
    .min(1)
    .max(60 * 24 * 7)
    .default(60),
});

export function createApiCallsRouter({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: () => Date;
}) {
  return router({
    list: permitted('api-calls:read')
      .input(listApiCallsInput)
      .query(async ({ ctx, input }): Promise<Page<ApiCall>> => {
        const rows = await findApiCalls(database.orm, {
          ...input,
          ...input.range,
          sight: apiCallVisibility(ctx.viewer),
          before: readCursor(input.cursor),
          limit: input.pageSize + 1,
        });
        const page = rows.slice(0, input.pageSize);
        const last = page.at(-1);
        const more = rows.length > input.pageSize && last;
        return {
          rows: page.map((call) => maskCaller(call, ctx.viewer)),
          nextCursor: more ? encodeCursor([last.at, last.id]) : null,
        };
      }),
    history: permitted('api-calls:read')
      .input(apiCallHistoryInput)
      .query(({ ctx, input }): Promise<ApiCallHistory> =>
        getApiCallHistory(
          database.orm,
          { ...input, sight: apiCallVisibility(ctx.viewer) },
          clock().getTime(),
        ),
      ),
    summary: permitted('api-calls:read')
      .input(summarizeApiCallsInput)
      .query(({ ctx, input }): Promise<ApiCallSummary[]> =>
        summarizeApiCalls(database.orm, { ...input, sight: apiCallVisibility(ctx.viewer) }),
      ),
  });
}

const cursorParts = z.tuple([utcMomentSchema, z.uuid()]);

function readCursor(cursor: string | null): { readonly at: string; readonly id: string } | null {
  if (cursor === null) return null;
  const parsed = cursorParts.safeParse(decodeCursor(cursor, 2));
  if (parsed.success) return { at: parsed.data[0], id: parsed.data[1] };
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** Masks the caller of a call without `people:read`, as in the audit trail. */
function maskCaller(call: ApiCall, viewer: Viewer): ApiCall {
  const own = call.userId === viewer.userId;
  if (call.username === null || own || holds(viewer.grants, 'people:read')) return call;
  return { ...call, username: maskUser(call.username, viewer), address: '' };
}
