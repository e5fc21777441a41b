import { and, getTableName, lt, not, notInArray, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { isRangeHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import { report, reportShare } from './reports-tables.ts';

/** A report is about a person, and contains data of other people in its devices: any hold of its time keeps it. */
const isReportHeld = isRangeHeld(report.fromAt, report.toAt);

/** Expired reports, and the links to deleted ones. */
export const reportRetentions = (): Retention[] => [
  {
    table: getTableName(report),
    ended: and(lt(report.expiresAt, portalNow), not(isReportHeld)) as SQL,
  },
  {
    table: getTableName(reportShare),
    ended: notInArray(
      reportShare.reportId,
      new QueryBuilder().select({ id: report.id }).from(report),
    ),
  },
];
