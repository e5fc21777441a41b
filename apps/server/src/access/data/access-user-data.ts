import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { accessGrant, userFormerName, userRole } from './access-tables.ts';
import { scimUser } from './scim-tables.ts';

/** User data of this slice besides the user's own row, which `eraseUserRow` overwrites. */
export const accessUserTables: UserTables = {
  names: [
    { table: accessGrant, name: accessGrant.decidedBy },
    { table: accessGrant, name: accessGrant.endedBy },
  ],
  own: [
    { table: userRole, id: userRole.userId },
    { table: userFormerName, id: userFormerName.userId },
    { table: scimUser, id: scimUser.userId },
  ],
};
