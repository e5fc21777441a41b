import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { insertStep } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { PreparedStep } from './prepare-step.ts';
import { authorizeStep } from './step-authorization.ts';

export interface StartedStep {
  readonly run: AirBlastRecord;
  readonly viewer: Viewer;
  readonly waves: PreparedStep['waves'];
  readonly now: Date;
}

/** Stores a step with its user and their current permissions, signed with its waves. Later waves run with them. */
export async function insertAuthorizedStep(
  tx: Transaction,
  deps: Pick<AirBlastDeps, 'signing' | 'vault'>,
  { run, viewer, waves, now }: StartedStep,
): Promise<void> {
  const step = {
    operatorId: viewer.userId,
    operator: viewer.username,
    startedAs: { ...viewer },
  };
  await insertStep(tx, {
    ...step,
    airBlastId: run.id,
    revision: run.revision,
    step: run.step,
    attempt: run.attempt,
    state: 'running',
    startedAt: now,
    endedAt: null,
    evidence: {},
    authorization: await authorizeStep(deps, run, { step, waves, at: now }),
  });
}
