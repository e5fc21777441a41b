import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type {
  previewShareInput,
  SharePreview,
  ReportShareLink,
  shareReportInput,
} from '@deviceportal/contract/reports';
import { refuse } from '@deviceportal/contract/refuse';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { findReport, requireReady } from '../get-report.ts';
import { writeDocument } from '../creation/write-document.ts';
import { reportFileKey } from '../report-files.ts';
import type { ReportsDeps } from '../reports-deps.ts';
import { createShare } from './create-share.ts';
import { redactInThread } from './redact-in-thread.ts';

/** Exactly what a recipient would see, and the free texts to decide on. */
export async function previewShare(
  deps: Pick<ReportsDeps, 'database' | 'userReportFiles'>,
  viewer: Viewer,
  { id, redaction }: z.infer<typeof previewShareInput>,
): Promise<SharePreview> {
  requireReady(await findReport(deps, viewer, id));
  return redactedCopy(deps, viewer, { id, redaction });
}

async function redactedCopy(
  deps: Pick<ReportsDeps, 'database' | 'userReportFiles'>,
  viewer: Viewer,
  { id, redaction }: z.infer<typeof previewShareInput>,
): Promise<SharePreview> {
  const openJson = async (): Promise<Readable> => {
    const page = await deps.userReportFiles.open(reportFileKey(id, 'page'));
    if (page === undefined) throw new PortalError('notFound', { facts: { report: id } });
    return page.content;
  };
  return redactInThread(deps, viewer.userId, { openJson, redaction });
}

/**
 * Creates a redacted copy and a link that opens it without a session until it expires. The copy does not change when
 * the report changes.
 */
export async function shareReport(
  deps: ReportsDeps,
  caller: Caller,
  { id, redaction, validSeconds }: z.infer<typeof shareReportInput>,
): Promise<ReportShareLink> {
  requireLinkLength(deps, validSeconds);
  const report = await findReport(deps, caller.viewer, id);
  requireReady(report);
  const { report: copy } = await redactedCopy(deps, caller.viewer, { id, redaction });
  return createShare(deps, caller, {
    ...{ report, redaction, validSeconds },
    writeCopy: (shareId) => writeDocument(deps.userReportFiles, copy, shareId),
  });
}

/** @throws PortalError 2004 for a longer validity than this installation permits */
export function requireLinkLength(
  { maxLinkSeconds }: Pick<ReportsDeps, 'maxLinkSeconds'>,
  validSeconds: number,
): void {
  if (validSeconds <= maxLinkSeconds) return;
  throw refuse('link-too-long', { field: 'validSeconds', facts: { most: maxLinkSeconds } });
}
