import type { TotpAssociation } from '../../mfa/totp.ts';

/** Methods of the second factor. */
export type StepMethod =
  | 'OTP'
  | 'RECOVERY'
  | 'SMS'
  | 'EMAIL'
  | 'FACE'
  | 'PASSKEY'
  /** A recovery code of the passkeys. */
  | 'PASSKEY_CODE';

/** The second step as the page shows it. */
export interface SecondStepView {
  /** Proves the first step. */
  readonly token: string;
  readonly method: StepMethod;
  /** All that are offered, the shown one among them. */
  readonly methods: readonly StepMethod[];
  /** The person has none yet, and sets one up. */
  readonly isSetUp: boolean;
  /** Destination of the code: partly masked for an existing contact, or as typed during setup. */
  readonly contact: string;
  /** When a code was sent; epoch, ms. Undefined: none yet. */
  readonly sentAt: number | undefined;
  /** The app that is set up. */
  readonly app: TotpAssociation | undefined;
  /** Options for the browser, as JSON; undefined unless a passkey is asked for. */
  readonly passkey: string | undefined;
}
