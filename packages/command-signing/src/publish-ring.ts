import type { KeyRingMessage } from '@deviceportal/device-protocol/messages';
import { MOST_KEYS, type KeySet } from './key-set.ts';
import { publishKeys, type RingKey } from './key-trust.ts';
import { signStatement, statementTypes, type StatementKey } from './signed-statement.ts';

/** A ring as announced to devices. */
export interface PublishedRing {
  /** Increases with every change. */
  readonly sequence: number;
  readonly current: StatementKey & RingKey;
  /** Newest first, including keys that are no longer trusted, for the chain of endorsements. */
  readonly known: readonly RingKey[];
  /** Keys that devices currently trust. */
  readonly pinned: readonly RingKey[];
  /** IDs of keys that may be compromised. */
  readonly withdrawn: readonly string[];
}

/** Creates the announcement for devices. */
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
