import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { deleteKeyPairs, insertKeyPair, readKeyPairs, type KeyUse } from './key-pair-store.ts';
import { endedKeysAt, isRotationDue } from './key-schedule.ts';
import { makeKeyPair } from './make-key-pair.ts';
import { withKeyLock } from './with-key-lock.ts';

export interface RotateKeysOptions<Use extends KeyUse> {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
  readonly uses: readonly Use[];
  readonly longestTokenSeconds: number;
  /** How long a new key is published before it signs. */
  readonly overlapMs: number;
  /** Leaves keys alone that have signed for less. */
  readonly ageMs: number;
  /** Called for each key that replaces another one, in the transaction that creates it. */
  readonly onRotated?: (client: pg.PoolClient, key: ComingKey<Use>, at: Date) => Promise<void>;
}

/** One key that is going to sign. */
export interface ComingKey<Use extends KeyUse = KeyUse> {
  readonly use: Use;
  readonly kid: string;
  readonly signsFrom: Date;
}

/**
 * Creates the next key of each use and removes those whose last token has expired. A pending key is
 * not replaced, so repeated or concurrent calls rotate once. The first key of a use signs
 * immediately.
 * @returns the created keys
 */
export async function rotateKeys<Use extends KeyUse>(
  options: RotateKeysOptions<Use>,
): Promise<ComingKey<Use>[]> {
  const { ageMs, clock, longestTokenSeconds, seal, uses } = options;
  return withKeyLock(options.db, async (client) => {
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const keys = await readKeyPairs(client, uses);
    const ended = endedKeysAt(keys, nowMs).map(({ kid }) => kid);
    if (ended.length > 0) await deleteKeyPairs(client, ended);
    const made: ComingKey<Use>[] = [];
    for (const use of uses.filter((each) => isRotationDue(keys, each, { nowMs, ageMs }))) {
      const isFirst = keys.every((key) => key.use !== use);
      const signsFrom = new Date(nowMs + (isFirst ? 0 : options.overlapMs));
      const { kid, ...key } = await makeKeyPair(use, { seal, signsFrom, longestTokenSeconds });
      await insertKeyPair(client, { kid, ...key }, at);
      const coming = { use, kid, signsFrom };
      if (!isFirst) await options.onRotated?.(client, coming, at);
      made.push(coming);
    }
    return made;
  });
}
