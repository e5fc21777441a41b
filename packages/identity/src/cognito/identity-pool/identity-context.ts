import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { Roles } from '../roles/role.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretHash } from '../../secrets/secret-hash.ts';
import type { IdentitySettings } from '../settings.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { PoolTokenCheck } from '../user-pool/pool-claims.ts';
import type { OutsideLogins } from './outside-logins.ts';

/** What the operations of the identity pool work with. */
export interface IdentityContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly roles: Roles;
  readonly limits: RateLimits;
  readonly tokens: PoolTokenCheck;
  /** Whose logins count where people sign in elsewhere: those of the own pool do not, then. */
  readonly outside: OutsideLogins | undefined;
}
