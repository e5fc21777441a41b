import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { deviceFileRequest } from './device-file-tables.ts';

/** Requests are kept for a day. Those of an erased user are deleted, with the signed name in them. */
export const deviceFilesUserTables: UserTables = {
  own: [{ table: deviceFileRequest, id: deviceFileRequest.userId }],
  secret: [deviceFileRequest.statement, deviceFileRequest.storageKey],
};
