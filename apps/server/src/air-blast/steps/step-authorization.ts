import { canonicalSha256 } from '@deviceportal/command-signing/canonical-json';
import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import { targetSha256 } from '../../commands/target/resolve-target.ts';
import {
  authorize,
  findMismatch,
  type AuthorizedFacts,
  type Authorization,
  type AuthorizationMismatch,
} from '../../commands/signing/authorization.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepRow } from '../data/step-queries.ts';
import { findPlanMismatch } from '../plan/plan-authorization.ts';
import type { WaveRow } from '../data/waves/wave-queries.ts';

type Doing = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt' | 'planSha256'>;
type Started = Pick<StepRow, 'operatorId' | 'operator' | 'startedAs'>;
type Wave = Pick<WaveRow, 'wave' | 'kind' | 'runKey' | 'deviceIds'>;

function authorizedStep(
  { id, revision, step, attempt, planSha256 }: Doing,
  { operatorId, operator, startedAs }: Started,
  waves: readonly Wave[],
): AuthorizedFacts {
  return {
    type: statementTypes.rolloutStep,
    id,
    facts: {
      ...{ id, revision, step, attempt, planSha256, operatorId, operator },
      // As read from the database: dates are strings in JSON.
      startedAs: canonicalSha256(JSON.parse(JSON.stringify(startedAs))),
      waves: waves
        .filter((wave) => !isFollowUp(step, wave))
        .map(({ wave, kind, runKey, deviceIds }) => ({
          ...{ wave, kind, runKey },
          devices: targetSha256(deviceIds.toSorted()),
        })),
    },
  };
}

/** The wave of a verification document is created when the changed devices are known. The plan covers its document. */
const isFollowUp = (step: string, { kind }: Wave): boolean =>
  step === 'verify' && kind === 'verify';

/** Signs a started step; null if its plan is not the authorized one. */
export async function authorizeStep(
  deps: Pick<AirBlastDeps, 'signing' | 'vault'>,
  run: AirBlastRecord,
  {
    step,
    waves,
    at,
  }: { readonly step: Started; readonly waves: readonly Wave[]; readonly at: Date },
): Promise<Authorization | null> {
  if (findPlanMismatch(deps, run) !== null) return null;
  const by = { id: step.operatorId };
  return authorize(deps, authorizedStep(run, step, waves), { by, at });
}

export const findStepMismatch = (
  deps: Pick<AirBlastDeps, 'signing' | 'vault'>,
  run: AirBlastRecord,
  { step, waves }: { readonly step: StepRow; readonly waves: readonly WaveRow[] },
): AuthorizationMismatch | null =>
  findMismatch(deps, step.authorization, authorizedStep(run, step, waves));
