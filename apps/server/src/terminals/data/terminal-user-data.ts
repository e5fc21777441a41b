import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { terminalModelConsent, terminalSession, terminalWatcher } from './terminal-tables.ts';

export const terminalsUserTables: UserTables = {
  names: [
    { table: terminalSession, name: terminalSession.username, id: terminalSession.userId },
    {
      table: terminalModelConsent,
      name: terminalModelConsent.changedBy,
      id: terminalModelConsent.changedById,
    },
  ],
  own: [{ table: terminalWatcher, id: terminalWatcher.userId }],
  secret: [terminalSession.signInId],
};
