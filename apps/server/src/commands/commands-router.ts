import { previewTargetInput, type TargetPreview } from '@deviceportal/contract/command-targets';
import {
  documentUsageInput,
  getCommandFormInput,
  setFavouriteInput,
  whoMayRunInput,
  type CommandDefinition,
  type CommandForm,
  type DocumentRunners,
  type DocumentUsage,
  type NextRemedy,
} from '@deviceportal/contract/commands';
import {
  getInvocationInput,
  listInvocationsInput,
  type InvocationDetail,
  type InvocationRow,
} from '@deviceportal/contract/invocations';
import {
  answerReferenceInput,
  keepAnswerInput,
  type KeptAnswer,
  type RunAnswer,
  type RunAnswers,
} from '@deviceportal/contract/run-answers';
import {
  listLeasesInput,
  waitsBehindInput,
  type RunWait,
  type Lease,
} from '@deviceportal/contract/leases';
import { decideRunInput, type RunApproval } from '@deviceportal/contract/run-approvals';
import { saveRunRulesInput, type RunRules } from '@deviceportal/contract/run-rules';
import { exportResultsInput } from '@deviceportal/contract/run-results';
import {
  previewUndoInput,
  undoReferenceInput,
  undoRunInput,
  type UndoOffer,
} from '@deviceportal/contract/run-undo';
import {
  listRunsInput,
  rerunCommandInput,
  rerunReferenceInput,
  runCommandInput,
  runReferenceInput,
  type RunDetail,
  type RunRow,
} from '@deviceportal/contract/runs';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import { approveRun, rejectRun } from './approval/decide-run.ts';
import { getRunApproval } from './approval/get-run-approval.ts';
import { getRunRules, saveRunRules } from './approval/run-rules.ts';
import { cancelInvocation } from './invocations/cancel-invocation.ts';
import { cancelRun } from './cancel-run.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { exportResults } from './answers/export-results.ts';
import { getCommandForm } from './catalog/get-command-form.ts';
import { getDocumentUsage } from './catalog/get-document-usage.ts';
import { getInvocation } from './invocations/get-invocation.ts';
import { getNextRemedies } from './catalog/get-next-remedies.ts';
import { getRun } from './get-run.ts';
import { keepAnswer } from './answers/keep-answer.ts';
import { getAnswer, listAnswers } from './answers/list-answers.ts';
import { listCommands } from './catalog/list-commands.ts';
import { listLeases } from './locks/list-leases.ts';
import { listInvocations } from './invocations/list-invocations.ts';
import { listRuns } from './list-runs.ts';
import { pauseRun, resumeRun } from './pause-run.ts';
import { previewTarget } from './target/preview-target.ts';
import { previewRerun, rerunCommand } from './rerun-command.ts';
import { runCommand } from './run-command.ts';
import { setFavouriteCommand } from './catalog/set-favorite-command.ts';
import { shownAgreement } from './target/target-agreement.ts';
import { getUndoOffer, previewUndo, undoRun } from './undo/undo-run.ts';
import { waitsBehind } from './locks/queued-behind.ts';
import { whoMayRunDocument } from './catalog/who-may-run-document.ts';

export function createCommandsRouter(deps: CommandsDeps) {
  return router({
    list: permitted('commands:read').query(({ ctx }): Promise<readonly CommandDefinition[]> =>
      listCommands(deps, ctx.viewer),
    ),
    getForm: permitted('commands:read')
      .input(getCommandFormInput)
      .query(({ ctx, input }): Promise<CommandForm> => getCommandForm(deps, ctx.viewer, input)),
    previewTarget: permitted('commands:read')
      .input(previewTargetInput)
      .query(({ ctx, input }): Promise<TargetPreview> => previewTarget(deps, ctx.viewer, input)),
    leases: permitted('commands:read')
      .input(listLeasesInput)
      .query(({ ctx, input }): Promise<Lease[]> => listLeases(deps, ctx.viewer, input)),
    run: permitted('commands:run')
      .input(runCommandInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        runCommand(deps, ctx.viewer, {
          ...input,
          agreement: shownAgreement(input),
          origin: ctx,
        }),
      ),
    previewRerun: permitted('commands:run')
      .input(rerunReferenceInput)
      .query(({ ctx, input }): Promise<TargetPreview> => previewRerun(deps, ctx.viewer, input)),
    rerun: permitted('commands:run')
      .input(rerunCommandInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        rerunCommand(deps, ctx.viewer, {
          ...input,
          agreement: shownAgreement(input),
          origin: ctx,
        }),
      ),
    waitsBehind: permitted('commands:read')
      .input(waitsBehindInput)
      .query(({ ctx, input }): Promise<RunWait[]> => waitsBehind(deps, ctx.viewer, input)),
    getUndo: permitted('commands:read')
      .input(undoReferenceInput)
      .query(({ ctx, input }): Promise<UndoOffer> => getUndoOffer(deps, ctx.viewer, input)),
    previewUndo: permitted('commands:read')
      .input(previewUndoInput)
      .query(({ ctx, input }): Promise<TargetPreview> => previewUndo(deps, ctx.viewer, input)),
    undo: permitted('commands:run')
      .input(undoRunInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        undoRun(deps, ctx.viewer, {
          ...input,
          agreement: shownAgreement(input),
          origin: ctx,
        }),
      ),
    getApproval: permitted('commands:read')
      .input(runReferenceInput)
      .query(({ ctx, input }): Promise<RunApproval | null> =>
        getRunApproval(deps, ctx.viewer, input.id),
      ),
    approveRun: permitted('air-blast:approve')
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
    saveRules: permitted('access:manage')
      .input(saveRunRulesInput)
      .mutation(({ ctx, input }): Promise<RunRules> => saveRunRules(deps, ctx, input.rules)),
    cancelRun: permitted('commands:run')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        cancelRun(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    pauseRun: permitted('commands:run')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        pauseRun(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    resumeRun: permitted('commands:run')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<RunDetail> =>
        resumeRun(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    cancelInvocation: permitted('commands:run')
      .input(runReferenceInput)
      .mutation(({ ctx, input }): Promise<InvocationDetail> =>
        cancelInvocation(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    listRuns: permitted('commands:read')
      .input(listRunsInput)
      .query(({ ctx, input }): Promise<Page<RunRow>> => listRuns(deps, ctx.viewer, input)),
    getRun: permitted('commands:read')
      .input(runReferenceInput)
      .query(({ ctx, input }): Promise<RunDetail> => getRun(deps, ctx.viewer, input.id)),
    listInvocations: permitted('commands:read')
      .input(listInvocationsInput)
      .query(({ ctx, input }): Promise<Page<InvocationRow>> =>
        listInvocations(deps, ctx.viewer, input),
      ),
    getInvocation: permitted('commands:read')
      .input(getInvocationInput)
      .query(({ ctx, input }): Promise<InvocationDetail> => getInvocation(deps, ctx.viewer, input)),
    listAnswers: permitted('commands:read')
      .input(runReferenceInput)
      .query(({ ctx, input }): Promise<RunAnswers> => listAnswers(deps, ctx.viewer, input.id)),
    getAnswer: permitted('commands:read')
      .input(answerReferenceInput)
      .query(({ ctx, input }): Promise<RunAnswer> => getAnswer(deps, ctx.viewer, input)),
    keepAnswer: permitted('commands:read')
      .input(keepAnswerInput)
      .mutation(({ ctx, input }): Promise<KeptAnswer> => keepAnswer(deps, ctx, input)),
    exportResults: permitted('commands:read')
      .input(exportResultsInput)
      .mutation(({ ctx, input }): Promise<{ readonly downloadUrl: string }> =>
        exportResults(deps, ctx, input),
      ),
    nextRemedies: permitted('commands:read')
      .input(runReferenceInput)
      .query(({ ctx, input }): Promise<readonly NextRemedy[]> =>
        getNextRemedies(deps, ctx.viewer, input.id),
      ),
    whoMayRun: permitted('documents:read')
      .input(whoMayRunInput)
      .query(({ ctx, input }): Promise<DocumentRunners> =>
        whoMayRunDocument(deps, ctx.viewer, input.document),
      ),
    documentUsage: permitted('commands:read')
      .input(documentUsageInput)
      .query(({ ctx, input }): Promise<DocumentUsage> =>
        getDocumentUsage(deps, ctx.viewer, input.document),
      ),
    setFavourite: permitted('commands:read')
      .input(setFavouriteInput)
      .mutation(({ ctx, input }): Promise<void> => setFavouriteCommand(deps, ctx, input)),
  });
}
