import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { listRunsInput, RunRow } from '@deviceportal/contract/runs';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { failingCondition, runRowOf, runScopeCondition, selectRuns } from './run-store.ts';

/** Runs within the viewer's scope, newest first. */
export async function listRuns(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listRunsInput>,
): Promise<Page<RunRow>> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const conditions: SQL[] = [runScopeCondition(scopes)];
  if (input.deviceId !== null) {
    conditions.push(sql`r.id in (select i.run_id from invocation i join device d on d.id = i.device_id
      where i.device_id = ${input.deviceId} and ${deviceScopeCondition(scopes)})`);
  }
  if (input.documentName !== null) conditions.push(sql`r.document_name = ${input.documentName}`);
  if (input.mine) conditions.push(sql`r.created_by_id = ${viewer.userId}`);
  if (input.failing) conditions.push(failingCondition(scopes));
  if (input.awaiting) conditions.push(awaitingCondition(viewer));
  if (input.active) conditions.push(sql`r.ended_at is null`);
  const after = decodeMomentCursor(input.cursor);
  if (after !== null) {
    conditions.push(sql`(r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const found = await selectRuns(database.orm, {
    scopes,
    where: sql.join(conditions, sql` and `),
    order: sql`r.created_at desc, r.id desc`,
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ detail }) => ({
      ...runRowOf(detail),
      createdBy: maskUser(detail.createdBy, viewer),
    })),
    nextCursor:
      last === undefined
        ? null
        : encodeMomentCursor({ at: last.createdAtText, id: last.detail.id }),
  };
}

/** Runs that wait for a second person who may be the viewer: every device of them lies in the scope of the right. */
function awaitingCondition({ userId, grants }: Viewer): SQL {
  const scope = deviceScopeCondition(scopesOf(grants, ['air-blast:approve']));
  return sql`r.state = 'Approval' and r.created_by_id <> ${userId} and not exists (
    select from invocation i join device d on d.id = i.device_id where i.run_id = r.id and (${scope}) is not true)`;
}
