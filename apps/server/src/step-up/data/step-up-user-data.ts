import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { stepUp } from './step-up-tables.ts';

export const stepUpUserTables: UserTables = {
  own: [{ table: stepUp, id: stepUp.userId }],
  secret: [stepUp.sessionKey],
};
