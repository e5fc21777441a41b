import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { apiCall } from './api-calls-tables.ts';

export const apiCallsUserTables: UserTables = {
  names: [
    {
      ...{ table: apiCall, id: apiCall.userId, name: apiCall.username, also: [apiCall.address] },
      along: [apiCall.at, apiCall.id],
    },
  ],
};
