import type { OwnPasskeys } from '@deviceportal/contract/passkeys';
import type { Passkeys } from '@deviceportal/identity/passkeys';

export interface PasskeysDeps {
  readonly clock: () => Date;
  readonly passkeys: Passkeys;
  readonly passkeysAskedAt: OwnPasskeys['askedAt'];
}
