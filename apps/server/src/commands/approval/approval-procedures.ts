import { decideRunInput, type RunApproval } from '@deviceportal/contract/run-approvals';
import { saveRunRulesInput, type RunRules } from '@deviceportal/contract/run-rules';
import { runReferenceInput, type RunDetail } from '@deviceportal/contract/runs';
import { permitted } from '../../platform/api.ts';
import { whenDestroying } from '../step-up-when-destroying.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { approveRun, rejectRun } from './decide-run.ts';
import { getRunApproval } from './get-run-approval.ts';
import { getRunRules, saveRunRules } from './run-rules.ts';

/** Approvals of runs, and the rules that require them. */
export const approvalProcedures = (deps: CommandsDeps) => ({
  getApproval: permitted('commands:read')
    .input(runReferenceInput)
    .query(({ ctx, input }): Promise<RunApproval | null> =>
      getRunApproval(deps, ctx.viewer, input.id),
    ),
  approveRun: permitted('air-blast:approve', whenDestroying)
    .input(decideRunInput)
    .mutation(({ ctx, input }): Promise<RunDetail> =>
      approveRun(deps, ctx.viewer, { ...input, origin: ctx }),
    ),
  rejectRun: permitted('air-blast:approve')
    .input(decideRunInput)
    .mutation(({ ctx, input }): Promise<RunDetail> =>
      rejectRun(deps, ctx.viewer, { ...input, origin: ctx }),
    ),
  getRules: permitted('commands:read').query(({ ctx }): Promise<RunRules> =>
    getRunRules(deps, ctx.viewer),
  ),
  saveRules: permitted('access:manage', 'grants-rights')
    .input(saveRunRulesInput)
    .mutation(({ ctx, input }): Promise<RunRules> => saveRunRules(deps, ctx, input.rules)),
});
