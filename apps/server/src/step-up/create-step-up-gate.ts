import { refuse } from '@deviceportal/contract/refuse';
import type { StepUpGate } from '../platform/step-up-gate.ts';
import { isStepUpFresh } from './data/step-up-queries.ts';
import { findMethods } from './find-methods.ts';
import { sessionKeyOf } from './session-key.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/** The check of calls that require a fresh second step of their session. */
export function createStepUpGate(deps: StepUpDeps): StepUpGate {
  return {
    async require(viewer, purpose) {
      if (viewer.apiToken !== undefined) throw refuse('step-up-not-by-token');
      const session = { sessionKey: sessionKeyOf(viewer), userId: viewer.userId };
      if (await isStepUpFresh(deps.database.orm, session)) return;
      const { methods } = await findMethods(deps, viewer);
      const names = methods.map(({ method }) => method).join(',');
      throw refuse('step-up-required', { facts: { purpose, methods: names } });
    },
  };
}
