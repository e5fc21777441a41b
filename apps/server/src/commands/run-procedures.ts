import { previewTargetInput, type TargetPreview } from '@deviceportal/contract/command-targets';
import {
  getInvocationInput,
  listInvocationsInput,
  type InvocationDetail,
  type InvocationRow,
} from '@deviceportal/contract/invocations';
import {
  listChangeLocksInput,
  waitsBehindInput,
  type ChangeLock,
  type RunWait,
} from '@deviceportal/contract/change-locks';
import type { Page } from '@deviceportal/contract/pages';
import {
  listRunsInput,
  rerunCommandInput,
  rerunReferenceInput,
  runCommandInput,
  runReferenceInput,
  type RunDetail,
  type RunRow,
  type RunTrend,
} from '@deviceportal/contract/runs';
import { permitted } from '../platform/api.ts';
import { cancelRun } from './cancel-run.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { getRun } from './get-run.ts';
import { cancelInvocation } from './invocations/cancel-invocation.ts';
import { getInvocation } from './invocations/get-invocation.ts';
import { listInvocations } from './invocations/list-invocations.ts';
import { listRuns } from './list-runs.ts';
import { listChangeLocks } from './locks/list-change-locks.ts';
import { findQueuedBehindOf } from './locks/queued-behind.ts';
import { pauseRun, resumeRun } from './pause-run.ts';
import { previewRerun, rerunCommand } from './rerun-command.ts';
import { createRunTrend } from './run-trend.ts';
import { runCommand } from './run-command.ts';
import { whenDestroying } from './step-up-when-destroying.ts';
import { previewTarget } from './target/preview-target.ts';
import { shownAgreement } from './target/target-agreement.ts';

/** Runs: start, read, pause, resume, and cancel. */
export const runProcedures = (deps: CommandsDeps, trend = createRunTrend(deps)) => ({
  runTrend: permitted('commands:read').query(({ ctx }): Promise<RunTrend> => trend(ctx.viewer)),
  previewTarget: permitted('commands:read')
    .input(previewTargetInput)
    .query(({ ctx, input }): Promise<TargetPreview> => previewTarget(deps, ctx.viewer, input)),
  changeLocks: permitted('commands:read')
    .input(listChangeLocksInput)
    .query(({ ctx, input }): Promise<ChangeLock[]> => listChangeLocks(deps, ctx.viewer, input)),
  run: permitted('commands:run', whenDestroying)
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
  rerun: permitted('commands:run', whenDestroying)
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
    .query(({ ctx, input }): Promise<RunWait[]> => findQueuedBehindOf(deps, ctx.viewer, input)),
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
});
