import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { RecordIdentityEvent } from '../../identity-event.ts';
import type { SigningKeys } from '../../keys/signing-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretHash } from '../../secrets/secret-hash.ts';
import type { IdentitySettings } from '../settings.ts';
import type { ChallengeTriggers } from '../triggers/challenge-triggers.ts';
import type { AccountGuesses } from '../../accounts/account-guesses.ts';
import type { Passkeys } from '../../passkeys/passkeys.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { PoolTokenCheck, PoolTokenUse } from './pool-claims.ts';

/** Dependencies of the user pool's operations. */
export interface PoolContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  /** Life of a session that begins now. */
  readonly sessionDurationMinutes: () => number;
  readonly keys: SigningKeys<PoolTokenUse>;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly limits: RateLimits;
  readonly guesses: AccountGuesses;
  readonly passkeys: Passkeys;
  /** Undefined where the pool has no custom challenge. */
  readonly triggers: ChallengeTriggers | undefined;
  readonly tokens: PoolTokenCheck;
  readonly record: RecordIdentityEvent;
}
