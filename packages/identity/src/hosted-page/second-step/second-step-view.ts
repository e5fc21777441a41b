import type { TotpAssociation } from '../../mfa/totp.ts';

/** What a person can finish a sign-in with. */
export type StepMethod = 'OTP' | 'RECOVERY' | 'SMS' | 'EMAIL' | 'FACE';

/** The second step as the page shows it. */
export interface SecondStepView {
  /** Proves the first step. */
  readonly token: string;
  readonly method: StepMethod;
  /** All that are offered, the shown one among them. */
  readonly methods: readonly StepMethod[];
  /** The person has none yet, and sets one up. */
  readonly isSetUp: boolean;
  /** Where the code went, or goes: the person's own in part, or what was typed to be set up. */
  readonly contact: string;
  /** When a code was sent; epoch, ms. Undefined: none yet. */
  readonly sentAt: number | undefined;
  /** The app that is set up. */
  readonly app: TotpAssociation | undefined;
}
