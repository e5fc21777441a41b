import { QueryBuilder } from 'drizzle-orm/pg-core';
import { finding } from './findings-tables.ts';

/** Current findings with the device's sort keys, for joins and look-ups by `deviceId`. */
export const openFindings = new QueryBuilder()
  .select({
    deviceId: finding.deviceId,
    rule: finding.rule,
    severity: finding.severity,
    openedAt: finding.openedAt,
    serialRank: finding.serialRank,
    name: finding.name,
  })
  .from(finding)
  .as('open_finding');
