import type { z } from 'zod';
import type { registerSoftwareInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireWholeFleet } from './approval-scope-policy.ts';
import { allSoftware, insertSoftware } from './data/software-queries.ts';
import { queueSoftware } from './software-table/queue-software.ts';
import type { VersionsDeps } from './versions-deps.ts';

/** Registers a version as a draft. @throws PortalError 2004 if it is already registered */
export async function registerSoftware(
  deps: VersionsDeps,
  caller: Caller,
  input: z.infer<typeof registerSoftwareInput>,
): Promise<void> {
  const { viewer } = caller;
  requireWholeFleet(viewer);
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireRoom(tx, { limit: 'softwareVersions', of: '', existing: allSoftware() });
    const row = { ...input, createdBy: viewer.username, createdAt: at };
    if (!(await insertSoftware(tx, row))) {
      throw refuse('version-registered', {
        field: 'version',
        facts: { component: input.component, version: input.version },
      });
    }
    await queueSoftware(tx, [input]);
    await recordAudit(tx, [
      {
        type: 'version.registered',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        at,
        data: { ...input },
      },
    ]);
  });
}
