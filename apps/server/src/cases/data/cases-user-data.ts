import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { caseEntry, caseWorker, supportCase } from './cases-tables.ts';

export const casesUserTables: UserTables = {
  names: [
    { table: supportCase, id: supportCase.openedById, name: supportCase.openedBy },
    { table: supportCase, name: supportCase.closedBy },
    { table: supportCase, id: supportCase.assigneeId, name: supportCase.assignee },
    { table: caseWorker, id: caseWorker.userId, name: caseWorker.name },
    { table: caseEntry, id: caseEntry.actorId, name: caseEntry.actor },
  ],
  json: [{ table: caseEntry, json: caseEntry.data }],
};
