import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { devicePresence } from './presence-tables.ts';

export const presenceUserTables: UserTables = {
  own: [{ table: devicePresence, id: devicePresence.userId }],
};
