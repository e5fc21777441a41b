import { QueryBuilder } from 'drizzle-orm/pg-core';
import { finding } from './findings-tables.ts';

/** What is wrong with devices now, with the sort keys of the device: to be joined or looked up by `deviceId`. */
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
