import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { isWithinDevices } from '../../devices/data/is-device-within.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { requestCancel } from '../execution/request-cancel.ts';
import { getInvocation } from './get-invocation.ts';
import { permissionsToRun } from '../run-policy.ts';
import { runnableOf } from '../runnable-of-run.ts';

/**
 * @throws PortalError 5000 if there is no such invocation within scope; 1000 without permission to run the command on
 * the device
 */
export async function cancelInvocation(
  deps: CommandsDeps,
  viewer: Viewer,
  input: { readonly id: string; readonly origin: RequestOrigin },
): Promise<InvocationDetail> {
  const reference = { id: input.id, stdoutFrom: 0, stderrFrom: 0 };
  const invocation = await getInvocation(deps, viewer, reference);
  const permissions = permissionsToRun(await runnableOf(deps.database.orm, invocation));
  const scopes = scopesOf(viewer.grants, permissions);
  if (!(await isWithinDevices(deps.database.orm, scopes, invocation.deviceId))) {
    throw new PortalError('noPermission', { facts: { permission: permissions.at(-1) ?? '' } });
  }
  const outcome = await inTransaction(deps.database, (tx) =>
    requestCancel(tx, {
      target: { invocationIds: [invocation.id] },
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
    }),
  );
  deps.changes.publish(outcome.changes);
  return getInvocation(deps, viewer, reference);
}
