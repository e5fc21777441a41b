import { and, desc, eq, gte, lte, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { finding, findingHistory } from './findings-tables.ts';
import { seesCommands } from './sees-commands.ts';

interface PeriodOfDevices {
  readonly deviceIds: readonly string[];
  readonly from: Date;
  readonly to: Date;
}

/** Findings of some devices that applied at any time of a time range; `closedAt` is null if they still apply. */
function findingsOfPeriod(on: Executor, { deviceIds, from, to }: PeriodOfDevices) {
  return unionAll(
    on
      .select({
        deviceId: finding.deviceId,
        rule: finding.rule,
        severity: finding.severity,
        facts: finding.facts,
        openedAt: finding.openedAt,
        closedAt: sql<Date | null>`null::timestamptz`
          .mapWith(findingHistory.closedAt)
          .as('closed_at'),
      })
      .from(finding)
      .where(and(isAnyOf(finding.deviceId, deviceIds), lte(finding.openedAt, to))),
    on
      .select({
        deviceId: findingHistory.deviceId,
        rule: findingHistory.rule,
        severity: findingHistory.severity,
        facts: findingHistory.facts,
        openedAt: findingHistory.openedAt,
        closedAt: sql<Date | null>`${findingHistory.closedAt}`
          .mapWith(findingHistory.closedAt)
          .as('closed_at'),
      })
      .from(findingHistory)
      .where(
        and(
          isAnyOf(findingHistory.deviceId, deviceIds),
          lte(findingHistory.openedAt, to),
          gte(findingHistory.closedAt, from),
        ),
      ),
  ).as('finding_of_period');
}

/** Findings of devices within the viewer's scope: open ones first, then the latest. */
export async function listFindingsOfPeriod(
  on: Executor,
  viewer: Viewer,
  { limit, ...period }: PeriodOfDevices & { readonly limit: number },
) {
  const found = findingsOfPeriod(on, period);
  return on
    .select({
      deviceId: found.deviceId,
      rule: found.rule,
      severity: found.severity,
      facts: found.facts,
      openedAt: found.openedAt,
      closedAt: found.closedAt,
      seesCommands: seesCommands(viewer, deviceRecords),
    })
    .from(found)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, found.deviceId))
    .where(deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']), deviceRecords))
    .orderBy(sql`${found.closedAt} desc nulls first`, desc(found.openedAt))
    .limit(limit);
}
