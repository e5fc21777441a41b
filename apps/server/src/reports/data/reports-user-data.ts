import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { report, reportShare } from './reports-tables.ts';

export const reportsUserTables: UserTables = {
  names: [
    { table: report, id: report.createdById, name: report.createdBy, also: [report.address] },
    { table: reportShare, id: reportShare.createdById, name: reportShare.createdBy },
  ],
};
