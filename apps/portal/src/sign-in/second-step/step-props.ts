import type { OtherSignIn } from '../../session/authing/other-sign-in.ts';
import type { AcceptedUser } from '../sign-in-flow.ts';
import type { SecondStepNeeded } from '../../session/second-step.ts';

/** Props of every form for a second factor. */
export interface StepProps {
  readonly other: OtherSignIn;
  readonly step: SecondStepNeeded;
  /** Rejects if the account cannot sign in. */
  readonly onUser: (user: AcceptedUser) => Promise<void>;
}
