import {
  airBlastReasonInput,
  airBlastReference,
  decideAirBlastInput,
  editAirBlastInput,
  exportAirBlastInput,
  listAirBlastsInput,
  listAirBlastTargetsInput,
  planAirBlastInput,
  startAirBlastStepInput,
  type AirBlastDetail,
  type AirBlastLimits,
  type AirBlastPlan,
  type AirBlastResult,
  type AirBlastRollBack,
  type AirBlastRow,
  type AirBlastTargetRow,
} from '@deviceportal/contract/air-blast';
import type { Page } from '@deviceportal/contract/pages';
import { whenDestroying } from '../commands/step-up-when-destroying.ts';
import { permitted, router } from '../platform/api.ts';
import type { StepUpRule } from '../platform/step-up-gate.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { assumeOperatorRole, handOver, takeOver } from './change-operator.ts';
import { approveAirBlast, rejectAirBlast } from './decide-approval.ts';
import { getAirBlast } from './get-air-blast.ts';
import { getLimits } from './plan/get-limits.ts';
import { getPlan } from './plan/get-plan.ts';
import { exportResult, getResult } from './get-result.ts';
import { leaveOutFailed } from './steps/leave-out-failed.ts';
import { listAirBlasts, listAirBlastTargets } from './list-air-blasts.ts';
import {
  abortAirBlast,
  pauseAirBlast,
  renewToken,
  resumeAirBlast,
  retryAirBlast,
} from './operate-air-blast.ts';
import { editAirBlast, planAirBlast } from './plan/plan-air-blast.ts';
import { prepareRollBack } from './steps/prepare-roll-back.ts';
import { startStep } from './steps/start-step.ts';
import { stopWaiting } from './steps/stop-waiting.ts';

const reading = () => permitted(['air-blast:run', 'air-blast:approve']);
type Detail = Promise<AirBlastDetail>;

export function createAirBlastRouter(deps: AirBlastDeps) {
  /** Actions of the operator on one rollout, without further input. */
  const act = (
    work: (
      on: AirBlastDeps,
      viewer: Parameters<typeof renewToken>[1],
      input: Parameters<typeof renewToken>[2],
    ) => Detail,
  ) =>
    permitted('air-blast:run')
      .input(airBlastReference)
      .mutation(({ ctx, input }): Detail => work(deps, ctx.viewer, { ...input, origin: ctx }));
  const operate = (work: typeof pauseAirBlast) =>
    permitted('air-blast:run')
      .input(airBlastReasonInput)
      .mutation(({ ctx, input }): Detail => work(deps, ctx.viewer, { ...input, origin: ctx }));
  const decide = (work: typeof approveAirBlast, stepUp?: StepUpRule) =>
    permitted('air-blast:approve', stepUp)
      .input(decideAirBlastInput)
      .mutation(({ ctx, input }): Detail => work(deps, ctx.viewer, { ...input, origin: ctx }));
  return router({
    list: reading()
      .input(listAirBlastsInput)
      .query(({ ctx, input }): Promise<Page<AirBlastRow>> =>
        listAirBlasts(deps, ctx.viewer, input),
      ),
    get: reading()
      .input(airBlastReference)
      .query(({ ctx, input }): Detail => getAirBlast(deps, ctx.viewer, input.id)),
    getLimits: reading().query((): Promise<AirBlastLimits> => getLimits(deps)),
    getPlan: permitted('air-blast:run')
      .input(airBlastReference)
      .query(({ ctx, input }): Promise<AirBlastPlan> => getPlan(deps, ctx.viewer, input.id)),
    listTargets: reading()
      .input(listAirBlastTargetsInput)
      .query(({ ctx, input }): Promise<Page<AirBlastTargetRow>> =>
        listAirBlastTargets(deps, ctx.viewer, input),
      ),
    plan: permitted('air-blast:run')
      .input(planAirBlastInput)
      .mutation(({ ctx, input }): Detail =>
        planAirBlast(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    edit: permitted('air-blast:run')
      .input(editAirBlastInput)
      .mutation(({ ctx, input }): Detail =>
        editAirBlast(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    startStep: permitted('air-blast:run', whenDestroying)
      .input(startAirBlastStepInput)
      .mutation(({ ctx, input }): Detail => startStep(deps, ctx.viewer, { ...input, origin: ctx })),
    renewToken: act(renewToken),
    assumeRole: act(assumeOperatorRole),
    handOver: act(handOver),
    takeOver: act(takeOver),
    getResult: reading()
      .input(airBlastReference)
      .query(({ ctx, input }): Promise<AirBlastResult> => getResult(deps, ctx.viewer, input.id)),
    exportResult: reading()
      .input(exportAirBlastInput)
      .mutation(({ ctx, input }): Promise<{ readonly downloadUrl: string }> =>
        exportResult(deps, ctx.viewer, input),
      ),
    prepareRollBack: permitted('air-blast:run')
      .input(airBlastReference)
      .mutation(({ ctx, input }): Promise<AirBlastRollBack[]> =>
        prepareRollBack(deps, ctx.viewer, input.id),
      ),
    retry: act(retryAirBlast),
    leaveOutFailed: act(leaveOutFailed),
    stopWaiting: act(stopWaiting),
    pause: operate(pauseAirBlast),
    resume: operate(resumeAirBlast),
    abort: operate(abortAirBlast),
    approve: decide(approveAirBlast, whenDestroying),
    reject: decide(rejectAirBlast),
  });
}
