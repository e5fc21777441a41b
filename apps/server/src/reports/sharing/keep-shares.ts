import type { z } from 'zod';
import type { renewShareInput, ReportShareLink } from '@deviceportal/contract/reports';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { ReportsDeps } from '../reports-deps.ts';
import { findShare } from './read-shares.ts';
import { requireLinkLength } from './share-report.ts';
import { endShareNow, prolongShare } from './share-store.ts';

/** A new link to the same copy. */
export async function renewShare(
  deps: ReportsDeps,
  caller: Caller,
  { shareId, validSeconds }: z.infer<typeof renewShareInput>,
): Promise<ReportShareLink> {
  requireLinkLength(deps, validSeconds);
  const { reportId } = await findShare(deps, caller.viewer, shareId);
  const expiresAt = new Date(deps.clock().getTime() + validSeconds * 1_000).toISOString();
  await inTransaction(deps.database, async (tx) => {
    await prolongShare(tx, shareId, expiresAt);
    await recordAudit(tx, [
      {
        type: 'report.share-renewed',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { reportId, shareId, expiresAt },
      },
    ]);
  });
  const share = await findShare(deps, caller.viewer, shareId);
  return { ...share, url: deps.signShareUrl(shareId, validSeconds) };
}

/** No link to this copy opens it any more. */
export async function endShare(
  deps: Pick<ReportsDeps, 'database'>,
  caller: Caller,
  shareId: string,
): Promise<void> {
  const { reportId } = await findShare(deps, caller.viewer, shareId);
  await inTransaction(deps.database, async (tx) => {
    if (!(await endShareNow(tx, shareId))) return;
    await recordAudit(tx, [
      {
        type: 'report.share-ended',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { reportId, shareId },
      },
    ]);
  });
}
