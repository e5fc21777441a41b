import type { RunDetail } from '@deviceportal/contract/runs';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { requestCancel } from './execution/request-cancel.ts';
import { getRun } from './get-run.ts';
import { requireWholeRun } from './require-whole-run.ts';
import { permissionsToRun } from './run-policy.ts';
import { runnableOf } from './runnable-of-run.ts';

/**
 * Cancels a run on every device. `cancelInvocation` cancels it on one device. Ended invocations are not changed.
 *
 * @throws PortalError 5000 if there is no such run within scope; 1000 without permission to run the command on every
 * device of the run
 */
export async function cancelRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: { readonly id: string; readonly origin: RequestOrigin },
): Promise<RunDetail> {
  const run = await getRun(deps, viewer, input.id);
  const permissions = permissionsToRun(await runnableOf(deps.database.orm, run));
  const outcome = await inTransaction(deps.database, async (tx) => {
    await requireWholeRun(tx, viewer, { runId: run.id, permissions });
    return requestCancel(tx, {
      target: { runId: run.id },
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
    });
  });
  deps.changes.publish(outcome.changes);
  return getRun(deps, viewer, input.id);
}
