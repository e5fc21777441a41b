import { sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { finding, findingHistory } from './findings-tables.ts';

const build = new QueryBuilder();

/** Current and past findings with their times; `closedAt` is infinite for current ones. */
export const findingIntervals = build
  .select({
    deviceId: finding.deviceId,
    rule: finding.rule,
    severity: finding.severity,
    openedAt: finding.openedAt,
    closedAt: sql<Date>`'infinity'::timestamptz`.as('closed_at'),
  })
  .from(finding)
  .unionAll(
    build
      .select({
        deviceId: findingHistory.deviceId,
        rule: findingHistory.rule,
        severity: findingHistory.severity,
        openedAt: findingHistory.openedAt,
        closedAt: sql<Date>`${findingHistory.closedAt}`.as('closed_at'),
      })
      .from(findingHistory),
  )
  .as('finding_interval');
