import { and, eq, isNull, not, or, sql, type SQL } from 'drizzle-orm';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { accessGrantRuns } from '../../access/data/access-grant-bonds.ts';
import { deviceRecords as device } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { reportReads } from '../report-reads.ts';
import { report } from './reports-tables.ts';

/**
 * Which reports exist for a viewer: those whose devices are all within the scope of the viewer's permission to create
 * reports. Of other users' reports, those that the viewer could have created; of their own, those whose temporary
 * access has not ended, and with precise locations only while they may view any.
 */
export function reportVisibility(viewer: Viewer): SQL | undefined {
  const within = (permission: Permission): SQL => {
    const reached = deviceScopeCondition(scopesOf(viewer.grants, [permission]), device);
    return sql`not exists (select from unnest(${report.deviceIds}) one(id)
      left join ${device} on ${device.deviceId} = one.id where not coalesce(${reached}, false))`;
  };
  const seesPrecise = scopesOf(viewer.grants, ['locations:read-precise']).length > 0;
  const isOwn = and(
    eq(report.createdById, viewer.userId),
    accessGrantRuns(report.accessGrantId),
    or(not(report.precise), sql`${seesPrecise}`),
  );
  const couldBeMade = and(
    ...reportReads.map(within),
    sql`${report.deviceIds} <> '{}'`,
    or(isNull(report.caseId), within('cases:read')),
    or(not(report.precise), within('locations:read-precise')),
  );
  return and(within('reports:create'), or(isOwn, couldBeMade));
}
