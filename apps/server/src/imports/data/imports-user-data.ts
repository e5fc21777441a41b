import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { dataImport } from './imports-tables.ts';

/** Imports end with their user. Rows of deleted imports are deleted every night. */
export const importsUserTables: UserTables = {
  own: [{ table: dataImport, id: dataImport.createdById }],
};
