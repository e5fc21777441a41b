import { router } from '../platform/api.ts';
import { answerProcedures } from './answers/answer-procedures.ts';
import { approvalProcedures } from './approval/approval-procedures.ts';
import { catalogProcedures } from './catalog/catalog-procedures.ts';
import { runProcedures } from './run-procedures.ts';
import { undoProcedures } from './undo/undo-procedures.ts';
import type { CommandsDeps } from './commands-deps.ts';

export const createCommandsRouter = (deps: CommandsDeps) =>
  router({
    ...catalogProcedures(deps),
    ...runProcedures(deps),
    ...undoProcedures(deps),
    ...approvalProcedures(deps),
    ...answerProcedures(deps),
  });
