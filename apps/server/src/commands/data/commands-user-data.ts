import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { commandRun, runApproval, runRule, runSchedule, shownTarget } from './commands-tables.ts';

export const commandsUserTables: UserTables = {
  names: [
    {
      ...{ table: commandRun, id: commandRun.createdById, name: commandRun.createdBy },
      along: [commandRun.documentName, commandRun.createdAt, commandRun.id],
    },
    { table: commandRun, name: commandRun.pausedBy },
    { table: runApproval, id: runApproval.decidedById, name: runApproval.decidedBy },
    { table: runRule, name: runRule.changedBy },
    { table: runSchedule, id: runSchedule.createdById, name: runSchedule.createdBy },
  ],
  own: [{ table: shownTarget, id: shownTarget.userId }],
  secret: [commandRun.parameters, runSchedule.parameters, runSchedule.authorization],
};
