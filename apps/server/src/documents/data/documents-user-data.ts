import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { document, documentVersion } from './documents-tables.ts';

export const documentsUserTables: UserTables = {
  names: [
    { table: document, name: document.updatedBy },
    { table: documentVersion, id: documentVersion.createdById, name: documentVersion.createdBy },
    { table: documentVersion, name: documentVersion.submittedBy },
    { table: documentVersion, id: documentVersion.reviewedById, name: documentVersion.reviewedBy },
  ],
};
