import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { InvocationRow, listInvocationsInput } from '@deviceportal/contract/commands';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { selectInvocations } from './invocation-store.ts';

/** Invocations within the viewer's scope, newest first. */
export async function listInvocations(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  input: z.infer<typeof listInvocationsInput>,
): Promise<Page<InvocationRow>> {
  const conditions: SQL[] = [sql`true`];
  if (input.runId !== null) conditions.push(sql`i.run_id = ${input.runId}`);
  if (input.deviceId !== null) conditions.push(sql`i.device_id = ${input.deviceId}`);
  if (input.states.length > 0)
    conditions.push(sql`i.state = any(${sql.param(input.states)}::text[])`);
  const after = decodeMomentCursor(input.cursor);
  // Within a run all are queued at the same moment: its own index gives the order by id.
  const byId = input.runId !== null && input.deviceId === null;
  if (after !== null) {
    conditions.push(
      byId
        ? sql`i.id < ${after.id}::uuid`
        : sql`(i.queued_at, i.id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const found = await selectInvocations(database.orm, vault, {
    scopes: scopesOf(viewer.grants, ['commands:read']),
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
