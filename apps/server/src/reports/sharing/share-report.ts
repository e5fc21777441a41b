import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import type {
  previewShareInput,
  Redaction,
  ReportShareLink,
  shareReportInput,
} from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { caseOfReport } from '../case-of-report.ts';
import { findReport, requireReady } from '../get-report.ts';
import { writeDocument } from '../making/write-document.ts';
import { renderReport } from '../rendering/render-report.ts';
import { reportFilePath } from '../report-files.ts';
import type { ReportsDeps } from '../reports-deps.ts';
import { findPeopleInText } from './people-in-text.ts';
import { redactReport } from './redact-report.ts';
import { findShare } from './read-shares.ts';
import { insertShare } from './share-store.ts';

/** Exactly what somebody with the link would see. */
export async function previewShare(
  deps: Pick<ReportsDeps, 'database' | 'userReportsDir'>,
  viewer: Viewer,
  { id, redaction }: z.infer<typeof previewShareInput>,
): Promise<UserReportDocument> {
  requireReady(await findReport(deps, viewer, id));
  return redactedCopy(deps, id, redaction);
}

async function redactedCopy(
  deps: Pick<ReportsDeps, 'database' | 'userReportsDir'>,
  id: string,
  redaction: Redaction,
): Promise<UserReportDocument> {
  const path = reportFilePath(deps.userReportsDir, id, 'page');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new PortalError('notFound', { facts: { report: id } });
  });
  const report = JSON.parse(text) as UserReportDocument;
  return redactReport(report, redaction, await findPeopleInText(deps, report));
}

/**
 * Makes a redacted copy and a link that opens it without a session until it ends. The copy stays as it was shown,
 * whatever becomes of the report.
 */
export async function shareReport(
  deps: ReportsDeps,
  caller: Caller,
  { id, redaction, validSeconds }: z.infer<typeof shareReportInput>,
): Promise<ReportShareLink> {
  const { viewer } = caller;
  requireLinkLength(deps, validSeconds);
  const report = await findReport(deps, viewer, id);
  requireReady(report);
  const shareId = newId();
  const copy = await redactedCopy(deps, id, redaction);
  await writeDocument(deps.userReportsDir, copy, shareId);
  const files = await renderReport({ directory: deps.userReportsDir, id: shareId });
  const now = deps.clock();
  const caseId = caseOfReport(report, caller);
  const expiresAt = new Date(now.getTime() + validSeconds * 1_000).toISOString();
  await inTransaction(deps.database, async (tx) => {
    await insertShare(tx, {
      ...{ id: shareId, reportId: id, redaction, expiresAt, caseId },
      createdById: viewer.userId,
      createdBy: viewer.username,
      createdAt: now.toISOString(),
    });
    await recordAudit(tx, [
      {
        type: 'report.shared',
        actor: actorOf(viewer, { ...caller, caseId }),
        requestId: caller.requestId,
        caseId,
        data: {
          ...{ reportId: id, shareId, personId: report.personId, redaction, expiresAt },
          sha256: files.find(({ format }) => format === 'pdf')?.sha256 ?? null,
        },
      },
    ]);
  });
  const share = await findShare(deps, viewer, shareId);
  return { ...share, url: deps.signShareUrl(shareId, validSeconds) };
}

/** @throws PortalError 2004 for longer than this installation allows */
export function requireLinkLength(
  { maxLinkSeconds }: Pick<ReportsDeps, 'maxLinkSeconds'>,
  validSeconds: number,
): void {
  if (validSeconds <= maxLinkSeconds) return;
  throw new PortalError('invalidParameters', {
    message: `A link may be valid for ${maxLinkSeconds} seconds at most.`,
    issues: [{ path: ['validSeconds'], message: 'is too long' }],
  });
}
