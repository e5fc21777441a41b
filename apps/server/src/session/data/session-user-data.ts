import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { recentItem } from './session-tables.ts';

export const sessionUserTables: UserTables = {
  own: [{ table: recentItem, id: recentItem.userId }],
};
