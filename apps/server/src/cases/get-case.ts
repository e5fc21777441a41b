import { sql } from 'drizzle-orm';
import type { CaseDetail, CaseDevice } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { findReportOfCase } from '../reports/find-report-of-case.ts';
import { maskUser } from '../people/mask-person.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectCases } from './case-store.ts';
import { selectWorkers } from './case-worker-store.ts';
import type { CasesDeps } from './cases-deps.ts';

const SHOWN_DEVICES = 50;

/** @throws PortalError notFound (2003) also when its person lies outside the viewer's scope */
export async function getCase(
  deps: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<CaseDetail> {
  const on = deps.database.orm;
  const [found] = await selectCases(on, viewer, { where: sql`c.id = ${id}`, limit: 1 });
  if (found === undefined) throw new PortalError('notFound', { facts: { case: id } });
  const [workers, devices, reportId] = await Promise.all([
    selectWorkers(on, id),
    devicesOf(deps, viewer, id),
    findReportOfCase(on, id),
  ]);
  return {
    ...found.row,
    closedBy: found.closedBy,
    outcomeText: found.outcomeText,
    reportId,
    workers: workers.map((worker) => ({
      ...worker,
      name: maskUser(worker.name, viewer),
      joinedAt: isoOf(worker.joinedAt),
    })),
    devices,
  };
}

/** What most entries speak of first. */
async function devicesOf(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<CaseDevice[]> {
  const { rows } = await database.orm.execute(sql`
    select d.id, d.name, d.serial_number as "serialNumber", count(*)::int as entries
    from case_entry e join device d on d.id = e.device_id
    where e.case_id = ${id} and e.device_id is not null
      and ${deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']))}
    group by d.id order by entries desc, d.name, d.id limit ${SHOWN_DEVICES}`);
  return rows as unknown as CaseDevice[];
}
