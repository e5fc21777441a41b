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
import type { MakeReportDeps } from '../reports-deps.ts';
import { renderReport } from '../rendering/render-report.ts';
import { collectReport } from './collect-report.ts';
import { createReportProgress, ReportStopped } from './report-progress.ts';
import type { ReportMaking } from './report-making.ts';
import { writeDocument } from './write-document.ts';

/** A server that says nothing for so long is taken for dead, and its report is made by another. */
export const SILENT_SECONDS = 30;
const BEAT_MS = 5_000;

/**
 * Makes a report that waits: reads it, writes its files, and says once that it is ready. What a dead server had begun is
 * made anew; one that was cancelled, is ready or is being made elsewhere is left alone. If its person is erased meanwhile,
 * no file of it stays.
 */
export async function makeReport(deps: MakeReportDeps, id: string): Promise<void> {
  const report = await claimReport(deps.database.orm, id, SILENT_SECONDS);
  if (report === undefined) return;
  const progress = createReportProgress(deps, report);
  const beating = setInterval(() => void progress.beat().catch(() => {}), BEAT_MS);
  try {
    const viewer = await deps.findCreator(report);
    if (viewer === undefined) throw new PortalError('noPermission');
    const making: ReportMaking = {
      ...{ deps, viewer, report, gaps: [], sources: [] },
      origin: { requestId: report.requestId ?? report.id, address: report.address ?? '' },
    };
    const document = await collectReport(making, progress);
    const files = await progress.step('writing', async (): Promise<ReportFile[]> => {
      await writeDocument(deps.userReportsDir, document);
      return renderReport({ directory: deps.userReportsDir, id });
    });
    await end(deps, report, async (tx) => ({
      ...{ state: 'ready', failure: null, files },
      deviceIds: document.devices.map((device) => device.id),
      findings: document.findings.length,
      bond: await findReportBond(tx, viewer, furtherRights(report)),
    }));
  } catch (error) {
    if (error instanceof ReportStopped) return;
    const failure = error instanceof PortalError ? error.errorName : 'unknown';
    const nothing = { files: [], deviceIds: [], findings: 0, bond: null };
    const ended = await end(deps, report, async () => ({ state: 'failed', failure, ...nothing }));
    // An error of the catalog is the same at the next attempt; without its row, the report was deleted meanwhile.
    if (ended && !(error instanceof PortalError)) throw error;
  } finally {
    clearInterval(beating);
    await deleteIfOrphaned(deps, id);
  }
}

/** What stands in some reports only. */
const furtherRights = ({ precise, caseId }: StoredReport): Permission[] => [
  ...(precise ? (['locations:read-precise'] as const) : []),
  ...(caseId === null ? [] : (['cases:read'] as const)),
];

/** False for an attempt that may not end the report: it was canceled, deleted, or taken over. */
async function end(
  deps: MakeReportDeps,
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
