import type { CaseDetail } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { findReportOfCase } from '../reports/data/find-report-of-case.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import { selectDevicesOf } from './data/case-entry-queries.ts';
import { selectCases } from './data/case-queries.ts';
import { selectWorkers } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';

/** @throws PortalError notFound (2003), also if its person is outside the viewer's scope */
export async function getCase(
  deps: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<CaseDetail> {
  const on = deps.database.orm;
  const [found] = await selectCases(on, viewer, { id }, { limit: 1 });
  if (found === undefined) throw new PortalError('notFound', { facts: { case: id } });
  const [workers, devices, reportId] = await Promise.all([
    selectWorkers(on, id),
    selectDevicesOf(on, viewer, id),
    findReportOfCase(on, id),
  ]);
  return {
    ...caseRow(found, viewer),
    closedBy: found.closedBy === null ? null : maskUser(found.closedBy, viewer),
    outcomeText: found.outcomeText,
    reportId,
    workers: workers.map((worker) => ({
      ...worker,
      name: maskUser(worker.name, viewer),
      joinedAt: worker.joinedAt.toISOString(),
    })),
    devices,
  };
}
