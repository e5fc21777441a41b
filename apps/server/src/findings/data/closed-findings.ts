import { QueryBuilder } from 'drizzle-orm/pg-core';
import { findingHistory } from './findings-tables.ts';

/** Findings of devices that no longer apply, for look-ups by `deviceId`. */
export const closedFindings = new QueryBuilder()
  .select({
    deviceId: findingHistory.deviceId,
    rule: findingHistory.rule,
    severity: findingHistory.severity,
    openedAt: findingHistory.openedAt,
    closedAt: findingHistory.closedAt,
  })
  .from(findingHistory)
  .as('closed_finding');
