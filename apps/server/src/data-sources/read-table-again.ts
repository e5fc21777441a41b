import type { z } from 'zod';
import type { readTableAgainInput } from '@deviceportal/contract/data-sources';
import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { resetCursor } from './data/feed-queries.ts';

/** Reads all items of an outside table again. @throws PortalError 2003 if the source has no table */
export async function readTableAgain(
  deps: { readonly database: Database },
  caller: Caller,
  { source }: z.infer<typeof readTableAgainInput>,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    if (!(await resetCursor(tx, source))) throw new PortalError('notFound');
    await recordAudit(tx, [
      {
        type: 'settings.table-read-again',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { source },
      },
    ]);
  });
}
