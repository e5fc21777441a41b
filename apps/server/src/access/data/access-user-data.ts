import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { accessGrant, userRole } from './access-tables.ts';

/** What access keeps of users, besides the user's own row: that is overwritten by `eraseUserRow`. */
export const accessUserTables: UserTables = {
  names: [
    { table: accessGrant, name: accessGrant.decidedBy },
    { table: accessGrant, name: accessGrant.endedBy },
  ],
  own: [{ table: userRole, id: userRole.userId }],
};
