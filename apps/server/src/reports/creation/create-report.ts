import { PortalError } from '@deviceportal/contract/errors';
import type { Permission } from '@deviceportal/contract/permissions';
import type { ReportFile } from '@deviceportal/contract/reports';
import { notify } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { deleteIfOrphaned } from '../delete-orphaned-reports.ts';
import { findReportBond } from '../find-report-bond.ts';
import {
  claimReport,
  endReport,
  type ReportEnd,
  type StoredReport,
} from '../data/report-queries.ts';
import type { CreateReportDeps } from '../reports-deps.ts';
import { renderReport } from '../rendering/render-report.ts';
import { collectReport } from './collect-report.ts';
import { createReportProgress, ReportStopped } from './report-progress.ts';
import type { ReportCreation } from './report-creation.ts';
import { writeDocument } from './write-document.ts';

/** A server without a heartbeat for this time is considered dead, and another one creates its report. */
export const SILENT_SECONDS = 30;
const BEAT_MS = 5_000;

/**
 * Creates a queued report: reads its data, writes its files, and notifies once that it is ready. A report that a dead
 * server began is started over; a report that was canceled, is ready, or is being created elsewhere is left
 * unchanged. If its person is erased in the meantime, none of its files remain.
 */
export async function createReport(deps: CreateReportDeps, id: string): Promise<void> {
  const report = await claimReport(deps.database.orm, id, SILENT_SECONDS);
  if (report === undefined) return;
  const progress = createReportProgress(deps, report);
  const beating = setInterval(() => void progress.beat().catch(() => {}), BEAT_MS);
  try {
    const viewer = await deps.findCreator(report);
    if (viewer === undefined) throw new PortalError('noPermission');
    const creation: ReportCreation = {
      ...{ deps, viewer, report, gaps: [], sources: [] },
      origin: { requestId: report.requestId ?? report.id, address: report.address ?? '' },
    };
    const document = await collectReport(creation, progress);
    const files = await progress.step('writing', async (): Promise<ReportFile[]> => {
      await writeDocument(deps.userReportFiles, document);
      return renderReport(deps.userReportFiles, id);
    });
    await end(deps, report, async (tx) => ({
      ...{ state: 'ready', failure: null, files },
      deviceIds: document.devices.map((device) => device.id),
      findings: document.findings.length,
      bond: await findReportBond(tx, viewer, furtherPermissions(report)),
    }));
  } catch (error) {
    if (error instanceof ReportStopped) return;
    const failure = error instanceof PortalError ? error.errorName : 'unknown';
    const nothing = { files: [], deviceIds: [], findings: 0, bond: null };
    const ended = await end(deps, report, async () => ({ state: 'failed', failure, ...nothing }));
    // Errors of the catalog are permanent, and a report without a row was deleted: retrying does not help.
    if (ended && !(error instanceof PortalError)) throw error;
  } finally {
    clearInterval(beating);
    await deleteIfOrphaned(deps, id);
  }
}

/** Content that only some reports have. */
const furtherPermissions = ({ precise, caseId }: StoredReport): Permission[] => [
  ...(precise ? (['locations:read-precise'] as const) : []),
  ...(caseId === null ? [] : (['cases:read'] as const)),
];

/** False for an attempt that may not end the report: it was canceled, deleted, or taken over. */
async function end(
  deps: CreateReportDeps,
  report: StoredReport,
  findEnd: (tx: Transaction) => Promise<ReportEnd>,
): Promise<boolean> {
  const { id, createdById: userId } = report;
  const changes = await inTransaction(deps.database, async (tx): Promise<Change[] | undefined> => {
    const how = await findEnd(tx);
    if (!(await endReport(tx, report, how))) return undefined;
    const facts = { reportId: id, devices: how.deviceIds.length, findings: how.findings };
    const kind = how.state === 'ready' ? 'report-ready' : 'report-failed';
    return notify(tx, [{ userId, kind, subject: `report:${id}`, facts }]);
  });
  deps.changes.publish(changes ?? []);
  return changes !== undefined;
}
