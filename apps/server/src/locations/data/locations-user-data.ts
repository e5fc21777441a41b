import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { locationLook } from './locations-tables.ts';

export const locationsUserTables: UserTables = {
  own: [{ table: locationLook, id: locationLook.userId }],
};
