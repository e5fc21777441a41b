import type { KeyRingMessage } from '@deviceportal/device-protocol/messages';
import { MOST_KEYS, type KeySet } from './key-set.ts';
import { publishKeys, type RingKey } from './key-trust.ts';
import { signStatement, statementTypes, type StatementKey } from './signed-statement.ts';

/** A ring, as far as devices learn of it. */
export interface PublishedRing {
  /** Grows with every change. */
  readonly sequence: number;
  readonly current: StatementKey & RingKey;
  /** The newest first; those that count no more as well, for the chain of endorsements. */
  readonly known: readonly RingKey[];
  /** Those that devices trust now. */
  readonly pinned: readonly RingKey[];
  /** Ids of keys that somebody else may hold. */
  readonly withdrawn: readonly string[];
}

/** What is announced to devices. */
export async function publishRing(
  name: KeyRingMessage['ring'],
  ring: PublishedRing,
  now: Date,
): Promise<KeyRingMessage> {
  const set: KeySet = {
    ring: name,
    sequence: ring.sequence,
    trusted: ring.pinned.map(({ keyId }) => keyId),
    withdrawn: ring.withdrawn.slice(0, MOST_KEYS),
    issuedAt: now.toISOString(),
  };
  return {
    ring: name,
    keys: publishKeys(ring.known.slice(0, MOST_KEYS)),
    statement: await signStatement(statementTypes.keySet, set, ring.current),
  };
}
