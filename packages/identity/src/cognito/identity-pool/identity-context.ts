import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { Roles } from '../roles/role.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretHash } from '../../secrets/secret-hash.ts';
import type { IdentitySettings } from '../settings.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { PoolTokenCheck } from '../user-pool/pool-claims.ts';
import type { OutsideLogins } from './outside-logins.ts';

/** Dependencies of the identity pool's operations. */
export interface IdentityContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly roles: Roles;
  readonly limits: RateLimits;
  readonly tokens: PoolTokenCheck;
  /** Accepted logins if users sign in elsewhere; logins of the own pool are then rejected. */
  readonly outside: OutsideLogins | undefined;
}
