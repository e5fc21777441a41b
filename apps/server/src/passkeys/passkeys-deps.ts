import type { Passkeys } from '@deviceportal/identity/passkeys';

export interface PasskeysDeps {
  readonly clock: () => Date;
  readonly passkeys: Passkeys;
  /** Whether users sign in at the embedded user pool, where a passkey can replace the code. */
  readonly signsInHere: boolean;
}
