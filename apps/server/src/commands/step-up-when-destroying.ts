import type { Consequence } from '@deviceportal/contract/permissions';
import type { ConditionalStepUp } from '../platform/step-up-gate.ts';
import type { RequestOrigin } from '../platform/viewer.ts';

/** The step-up of procedures that run documents. */
export const whenDestroying: ConditionalStepUp = {
  purpose: 'destroys',
  when: 'if the consequence is `destroys`',
};

/** @throws PortalError 1000 with the reason `step-up-required` */
export async function requireStepUpToDestroy(
  { requireStepUp }: RequestOrigin,
  consequence: Consequence | undefined,
): Promise<void> {
  if (consequence === 'destroys') await requireStepUp?.();
}
