import type { OwnPasskeys } from '@deviceportal/contract/passkeys';
import type { Passkeys } from '@deviceportal/identity/passkeys';
import type { Database } from '../platform/database/database.ts';

export interface PasskeysDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly passkeys: Passkeys;
  readonly passkeysAskedAt: OwnPasskeys['askedAt'];
}
