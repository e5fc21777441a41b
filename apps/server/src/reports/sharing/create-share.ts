import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import type {
  Redaction,
  ReportFile,
  ReportRow,
  ReportShareLink,
} from '@deviceportal/contract/reports';
import { earlier } from '../../access/access-grants/find-required-access-grant.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { caseOfReport } from '../case-of-report.ts';
import { holdReport } from '../data/find-known-reports.ts';
import { insertShare, openSharesOf } from '../data/share-queries.ts';
import { renderReport } from '../rendering/render-report.ts';
import { deleteIfOrphaned } from '../delete-orphaned-reports.ts';
import { findReportBond } from '../find-report-bond.ts';
import type { ReportsDeps } from '../reports-deps.ts';
import { findShare } from './read-shares.ts';

export interface ShareToMake {
  readonly report: Pick<ReportRow, 'id' | 'personId' | 'caseId'>;
  readonly redaction: Redaction;
  readonly validSeconds: number;
  /** The ended share that this one replaces. */
  readonly replaces?: string;
  /** Writes the redacted JSON under the id of the new share. */
  readonly writeCopy: (shareId: string) => Promise<void>;
}

interface RenderedShare extends ShareToMake {
  readonly shareId: string;
  readonly files: readonly ReportFile[];
}

/** Each copy is rendered in its own thread. */
const drawing = new ConcurrencyLimit({ each: 1, all: 3, waiting: 50, maxWaitMs: 20_000 });

/** Renders the copy under a new id, records the share, and signs its link. */
export async function createShare(
  deps: ReportsDeps,
  caller: Caller,
  wanted: ShareToMake,
): Promise<ReportShareLink> {
  const { viewer } = caller;
  const { report, validSeconds, writeCopy } = wanted;
  await inTransaction(deps.database, (tx) => requireRoomForShare(tx, report.id));
  const shareId = newId();
  try {
    const files = await drawing.run(viewer.userId, async () => {
      await writeCopy(shareId);
      return renderReport(deps.userReportFiles, shareId);
    });
    await recordShare(deps, caller, { ...wanted, shareId, files });
  } finally {
    await deleteIfOrphaned(deps, shareId);
  }
  const share = await findShare(deps, viewer, shareId);
  return { ...share, url: deps.signShareUrl(shareId, validSeconds) };
}

async function recordShare(
  deps: ReportsDeps,
  caller: Caller,
  { report, redaction, validSeconds, replaces, shareId, files }: RenderedShare,
): Promise<void> {
  const { viewer } = caller;
  const now = deps.clock();
  const caseId = caseOfReport(report, caller);
  const latest = new Date(now.getTime() + validSeconds * 1_000);
  await inTransaction(deps.database, async (tx) => {
    await requireRoomForShare(tx, report.id);
    // The person may have been erased while the copy was rendered.
    if (!(await holdReport(tx, report.id)))
      throw new PortalError('notFound', { facts: { report: report.id } });
    const bond = await findReportBond(tx, viewer);
    const ending = earlier(latest, bond);
    const expiresAt = ending.toISOString();
    await insertShare(tx, {
      ...{ id: shareId, reportId: report.id, redaction, expiresAt: ending, caseId, bond },
      createdById: viewer.userId,
      createdBy: viewer.username,
      createdAt: now,
    });
    await recordAudit(tx, [
      {
        type: 'report.shared',
        actor: actorOf(viewer, { ...caller, caseId }),
        requestId: caller.requestId,
        caseId,
        data: {
          ...{ reportId: report.id, shareId, personId: report.personId, expiresAt },
          // The allowed texts are stored in the share itself.
          redaction: { ...redaction, allowedTexts: redaction.allowedTexts?.length ?? 0 },
          sha256: files.find(({ format }) => format === 'pdf')?.sha256 ?? null,
          ...(replaces === undefined ? {} : { replaces }),
          ...(bond && { elevationId: bond.accessGrantId }),
        },
      },
    ]);
  });
}

/** Checked before a copy is rendered, and again in the transaction. */
async function requireRoomForShare(tx: Transaction, reportId: string): Promise<void> {
  await requireRoom(tx, { limit: 'openShares', of: reportId, existing: openSharesOf(reportId) });
}
