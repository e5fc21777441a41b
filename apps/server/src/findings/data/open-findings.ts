import { QueryBuilder } from 'drizzle-orm/pg-core';
import { finding } from './findings-tables.ts';

/** What is wrong with devices now, to be joined or looked up by `deviceId`. */
export const openFindings = new QueryBuilder()
  .select({
    deviceId: finding.deviceId,
    rule: finding.rule,
    severity: finding.severity,
    openedAt: finding.openedAt,
  })
  .from(finding)
  .as('open_finding');
