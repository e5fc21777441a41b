import { getTableName, lt, notInArray } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import { report, reportShare } from './reports-tables.ts';

/** Expired reports, and the links to deleted ones. */
export const reportRetentions = (): Retention[] => [
  { table: getTableName(report), ended: lt(report.expiresAt, portalNow) },
  {
    table: getTableName(reportShare),
    ended: notInArray(
      reportShare.reportId,
      new QueryBuilder().select({ id: report.id }).from(report),
    ),
  },
];
