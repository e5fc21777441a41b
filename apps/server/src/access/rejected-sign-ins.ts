import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { IdentityEvent } from '@deviceportal/identity/identity-event';
import { TokenBuckets } from '../platform/token-buckets.ts';

/** Above the sign-in's own limit of wrong codes per address. Requests without credentials have no such limit. */
export const REFUSED_SIGN_INS_QUOTA = { burst: 200, perSecond: 20 / 60 } as const;

const refusals: ReadonlySet<IdentityEvent['kind']> = new Set([
  'signInRefused',
  'wrongAnswer',
  'limited',
]);
const MAX_ADDRESSES = 1_000;
const OTHERS = 'other addresses';

/**
 * Limits the audit events of rejected sign-ins, which any client can cause: per address, a few are recorded
 * individually and the rest are counted.
 */
export class RejectedSignIns {
  readonly #quota = new TokenBuckets(REFUSED_SIGN_INS_QUOTA);
  #beyond = new Map<string, number>();

  /** Whether the event is recorded individually. Otherwise it is counted. */
  take({ kind, address }: Pick<IdentityEvent, 'kind' | 'address'>): boolean {
    if (!refusals.has(kind) || address === undefined) return true;
    const bucket = addressBucket(address);
    if (this.#quota.of(bucket).take()) return true;
    const isKept = this.#beyond.has(bucket) || this.#beyond.size < MAX_ADDRESSES;
    const key = isKept ? bucket : OTHERS;
    this.#beyond.set(key, (this.#beyond.get(key) ?? 0) + 1);
    return false;
  }

  /** Counts since the last call: one event per address. */
  takeCounts(at: Date): IdentityEvent[] {
    const counted = this.#beyond;
    this.#beyond = new Map();
    return [...counted].map(([address, count]) => ({
      ...{ kind: 'signInRefused', at, sub: undefined, username: address },
      ...{
        address: address === OTHERS ? undefined : address,
        detail: `${count} more were refused`,
      },
    }));
  }
}
