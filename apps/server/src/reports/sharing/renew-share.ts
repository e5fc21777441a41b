import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { renewShareInput, ReportShare, ReportShareLink } from '@deviceportal/contract/reports';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { findReport } from '../get-report.ts';
import { reportFileKey } from '../report-files.ts';
import { findReportBond } from '../find-report-bond.ts';
import type { ReportsDeps } from '../reports-deps.ts';
import { createShare } from './create-share.ts';
import { findShare } from './read-shares.ts';
import { requireLinkLength } from './share-report.ts';
import { endShareNow, extendShare } from '../data/share-queries.ts';

/**
 * Extends the validity of a link. A share that has ended or expired is not reopened: the same copy gets a new share,
 * and links of the old one stay invalid. The same applies with temporary access, with which the new share ends.
 */
export async function renewShare(
  deps: ReportsDeps,
  caller: Caller,
  { shareId, validSeconds }: z.infer<typeof renewShareInput>,
): Promise<ReportShareLink> {
  requireLinkLength(deps, validSeconds);
  const { reportId } = await findShare(deps, caller.viewer, shareId);
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + validSeconds * 1_000).toISOString();
  const isProlonged = await inTransaction(deps.database, async (tx) => {
    if ((await findReportBond(tx, caller.viewer)) !== null) return false;
    if (!(await extendShare(tx, shareId, { now: now.toISOString(), expiresAt }))) return false;
    await recordAudit(tx, [
      {
        type: 'report.share-renewed',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { reportId, shareId, expiresAt },
      },
    ]);
    return true;
  });
  const share = await findShare(deps, caller.viewer, shareId);
  return isProlonged
    ? { ...share, url: deps.signShareUrl(shareId, validSeconds) }
    : replaceShare(deps, caller, { share, validSeconds });
}

async function replaceShare(
  deps: ReportsDeps,
  caller: Caller,
  { share, validSeconds }: { readonly share: ReportShare; readonly validSeconds: number },
): Promise<ReportShareLink> {
  const { id, reportId, redaction } = share;
  const report = await findReport(deps, caller.viewer, reportId);
  return createShare(deps, caller, {
    ...{ report, redaction, validSeconds, replaces: id },
    writeCopy: async (shareId) => {
      const copied = await deps.userReportFiles.open(reportFileKey(id, 'json'));
      if (copied === undefined) throw new PortalError('notFound', { facts: { share: id } });
      await deps.userReportFiles.put(reportFileKey(shareId, 'json'), copied.content, {
        ifAbsent: true,
      });
    },
  });
}

/** Permanently ends every link to this share. */
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
