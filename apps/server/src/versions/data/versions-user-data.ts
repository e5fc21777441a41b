import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { softwareVersion, versionApproval } from './versions-tables.ts';

export const versionsUserTables: UserTables = {
  names: [
    { table: softwareVersion, name: softwareVersion.createdBy },
    { table: versionApproval, name: versionApproval.approvedBy },
  ],
};
