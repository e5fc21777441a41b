import type { RunDetail } from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { sql } from 'drizzle-orm';
import { actorOf } from '../audit-trail/record-audit.ts';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { requestCancel } from './execution/request-cancel.ts';
import { getRun } from './get-run.ts';
import { permissionsToRun } from './run-policy.ts';
import { runnableOf } from './runnable-of-run.ts';

/**
 * Who may run a command may end it, on the devices where they may run it. What has ended stays as it is.
 *
 * @throws PortalError 5000 when there is no such run within scope; 1000 without the right
 */
export async function cancelRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: { readonly id: string; readonly origin: RequestOrigin },
): Promise<RunDetail> {
  const run = await getRun(deps, viewer, input.id);
  const permissions = permissionsToRun(await runnableOf(deps.database.orm, run));
  const scopes = scopesOf(viewer.grants, permissions);
  if (scopes.length === 0) {
    throw new PortalError('noPermission', { facts: { permission: permissions.at(-1) ?? '' } });
  }
  const outcome = await inTransaction(deps.database, async (tx) => {
    const { rows } = await tx.execute(sql`
      select count(*) filter (where not ${deviceScopeCondition(scopes)})::int as beyond,
             coalesce(array_agg(i.id) filter (where ${deviceScopeCondition(scopes)}), '{}') as ids
      from invocation i join device d on d.id = i.device_id
      where i.run_id = ${run.id} and i.ended_at is null`);
    const { beyond, ids } = rows[0] as { beyond: number; ids: string[] };
    if (beyond > 0 && ids.length === 0) {
      throw new PortalError('noPermission', { facts: { permission: permissions.at(-1) ?? '' } });
    }
    return requestCancel(tx, {
      target: beyond === 0 ? { runId: run.id } : { invocationIds: ids },
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
    });
  });
  deps.changes.publish(outcome.changes);
  return getRun(deps, viewer, input.id);
}
