import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { InvocationRow, listInvocationsInput } from '@deviceportal/contract/invocations';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { invocationState } from '@deviceportal/contract/states';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import {
  decodeMomentCursor,
  encodeMomentCursor,
  type MomentCursor,
} from '../../platform/moment-cursor.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { selectInvocations } from './invocation-store.ts';

/** Invocations within the viewer's scope, newest first. */
export async function listInvocations(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  input: z.infer<typeof listInvocationsInput>,
): Promise<Page<InvocationRow>> {
  const conditions: SQL[] = [sql`true`];
  if (input.deviceId !== null) conditions.push(sql`i.device_id = ${input.deviceId}`);
  const after = decodeMomentCursor(input.cursor);
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  // Within a run all are queued at the same moment: its own index gives the order by id.
  const byId = input.runId !== null && input.deviceId === null;
  if (input.runId !== null && byId) {
    conditions.push(newestOfRun({ ...input, runId: input.runId, after, scopes }));
  } else {
    if (input.runId !== null) conditions.push(sql`i.run_id = ${input.runId}`);
    if (input.states.length > 0)
      conditions.push(sql`i.state = any(${sql.param(input.states)}::text[])`);
    if (after !== null)
      conditions.push(sql`(i.queued_at, i.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const found = await selectInvocations(database.orm, vault, {
    scopes,
    where: sql.join(conditions, sql` and `),
    order: byId ? sql`i.id desc` : sql`i.queued_at desc, i.id desc`,
    limit: input.pageSize + 1,
    withSteps: false,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ row }) => ({ ...row, createdBy: maskUser(row.createdBy, viewer) })),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.queuedAtText, id: last.row.id }),
  };
}

/**
 * State by state along the run's index: by the id alone the planner would walk the primary key, through every
 * invocation there ever was, where only few of the run are in such a state.
 */
function newestOfRun(page: {
  readonly runId: string;
  readonly states: readonly string[];
  readonly pageSize: number;
  readonly after: MomentCursor | null;
  readonly scopes: readonly Scope[];
}): SQL {
  const { runId, after, scopes } = page;
  const states = page.states.length > 0 ? page.states : Object.keys(invocationState);
  const behind = after === null ? sql`true` : sql`one.id < ${after.id}::uuid`;
  const limit = page.pageSize + 1;
  return sql`i.id = any(array(
    select newest.id from unnest(${sql.param([...new Set(states)])}::text[]) as wanted(state) cross join lateral (
      select one.id from invocation one join device on device.id = one.device_id
      where one.run_id = ${runId} and one.state = wanted.state and ${behind}
        and ${deviceScopeCondition(scopes, sql.raw('device'))}
      order by one.run_id desc, one.state desc, one.id desc limit ${limit}) newest
    order by newest.id desc limit ${limit}))`;
}
