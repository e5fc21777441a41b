import { refuse } from '@deviceportal/contract/refuse';
import { PasskeyError } from '@deviceportal/identity/passkey-error';
import type { BegunStepUp } from '@deviceportal/identity/step-up-passkeys';
import type { Caller } from '../platform/viewer.ts';
import { sessionKeyOf } from './session-key.ts';
import type { StepUpDeps } from './step-up-deps.ts';

/**
 * What the browser needs to ask for a passkey that confirms the session of the call.
 * @throws PortalError 1000 if the user has none
 */
export async function beginPasskey(
  { stepUpPasskeys }: StepUpDeps,
  { viewer }: Caller,
): Promise<BegunStepUp> {
  try {
    return await stepUpPasskeys.begin({ person: viewer.subject, session: sessionKeyOf(viewer) });
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error;
    throw refuse('step-up-method-unavailable', { cause: error });
  }
}
