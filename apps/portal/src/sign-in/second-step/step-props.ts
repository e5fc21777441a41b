import type { OtherSignIn } from '../../session/authing/other-sign-in.ts';
import type { AcceptedUser } from '../sign-in-flow.ts';
import type { SecondStepNeeded } from '../../session/second-step.ts';

/** What each way to do the second step is given. */
export interface StepProps {
  readonly other: OtherSignIn;
  readonly step: SecondStepNeeded;
  /** Rejects where the account cannot be let in. */
  readonly onUser: (user: AcceptedUser) => Promise<void>;
}
