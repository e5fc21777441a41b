import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireWholeFleet } from './approval-scope-policy.ts';
import { enterSoftwareState, type ChangeState } from './enter-software-state.ts';
import { restateNow } from './restate-devices.ts';
import { queueSoftware } from './software-table/queue-software.ts';
import type { VersionsDeps } from './versions-deps.ts';

/**
 * Approves, deprecates, or blocks a version. Blocking ends its approvals immediately; a version cannot be deprecated
 * while it is the approved one for any devices.
 * @throws PortalError 2003 for an unknown version; 2004 if its state does not allow it
 */
export async function changeSoftwareState(
  deps: VersionsDeps,
  caller: Caller,
  input: ChangeState,
): Promise<void> {
  requireWholeFleet(caller.viewer);
  await inTransaction(deps.database, async (tx) => {
    const by = {
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      at: deps.clock(),
    };
    if (await enterSoftwareState(tx, input, by)) await queueSoftware(tx, [input]);
  });
  await restateNow(deps);
}
