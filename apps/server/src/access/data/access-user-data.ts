import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { elevation, userRole } from './access-tables.ts';

/** What access keeps of users, besides the user's own row: that is overwritten by `eraseUserRow`. */
export const accessUserTables: UserTables = {
  names: [
    { table: elevation, name: elevation.decidedBy },
    { table: elevation, name: elevation.endedBy },
  ],
  own: [{ table: userRole, id: userRole.userId }],
};
