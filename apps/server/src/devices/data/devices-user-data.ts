import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { claim, deviceNote, reEnrollmentRequest, savedView } from './devices-tables.ts';

export const devicesUserTables: UserTables = {
  names: [
    { table: claim, id: claim.createdById, name: claim.createdBy },
    { table: deviceNote, id: deviceNote.authorId, name: deviceNote.author },
    {
      table: reEnrollmentRequest,
      id: reEnrollmentRequest.decidedById,
      name: reEnrollmentRequest.decidedBy,
    },
  ],
  own: [{ table: savedView, id: savedView.ownerId }],
  secret: [claim.tokenHash],
};
