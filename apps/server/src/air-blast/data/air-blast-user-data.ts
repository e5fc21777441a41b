import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { airBlast, airBlastApproval, airBlastStep } from './air-blast-tables.ts';

export const airBlastUserTables: UserTables = {
  names: [
    { table: airBlast, id: airBlast.createdById, name: airBlast.createdBy },
    { table: airBlast, id: airBlast.operatorId, name: airBlast.operator },
    { table: airBlastStep, id: airBlastStep.operatorId, name: airBlastStep.operator },
    { table: airBlastApproval, id: airBlastApproval.byId, name: airBlastApproval.by },
  ],
  json: [{ table: airBlastStep, id: airBlastStep.operatorId, json: airBlastStep.startedAs }],
  secret: [
    airBlast.parameters,
    airBlast.storeParameters,
    airBlast.authorization,
    airBlastStep.authorization,
    airBlastApproval.signature,
  ],
};
