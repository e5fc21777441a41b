import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { IdentityEvent } from '@deviceportal/identity/identity-event';
import { TokenBuckets } from '../platform/token-buckets.ts';

/** More than the limits of the sign-in itself let an address have wrong; what anybody can send has none. */
export const REFUSED_SIGN_INS_QUOTA = { burst: 200, perSecond: 20 / 60 } as const;

const refusals: ReadonlySet<IdentityEvent['kind']> = new Set([
  'signInRefused',
  'wrongAnswer',
  'limited',
]);
const MOST_ADDRESSES = 1_000;
const OTHERS = 'other addresses';

/** Refused sign-ins, which any client can cause: a few of each address are recorded one by one, the rest are counted. */
export class RefusedSignIns {
  readonly #quota = new TokenBuckets(REFUSED_SIGN_INS_QUOTA);
  #beyond = new Map<string, number>();

  /** Whether the event stands by itself; one that does not is counted. */
  take({ kind, address }: Pick<IdentityEvent, 'kind' | 'address'>): boolean {
    if (!refusals.has(kind) || address === undefined) return true;
    const bucket = addressBucket(address);
    if (this.#quota.of(bucket).take()) return true;
    const isKept = this.#beyond.has(bucket) || this.#beyond.size < MOST_ADDRESSES;
    const key = isKept ? bucket : OTHERS;
    this.#beyond.set(key, (this.#beyond.get(key) ?? 0) + 1);
    return false;
  }

  /** What was counted since it was last told: one event for each address. */
  tell(at: Date): IdentityEvent[] {
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
