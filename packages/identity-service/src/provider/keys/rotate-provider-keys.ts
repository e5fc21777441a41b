import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { WriteIdentityEvent } from '../../identity-event.ts';
import { endedKeysAt, isRotationDue } from '../../keys/key-schedule.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { withKeyLock } from '../../store/key-store.ts';
import { makeProviderKey } from './make-provider-key.ts';
import { deleteProviderKeys, insertProviderKey, readProviderKeys } from './provider-key-store.ts';
import { SIGNING } from './signing-keys.ts';

/** The key that is going to sign. */
export interface ComingProviderKey {
  readonly kid: string;
  readonly signsFrom: Date;
}

/**
 * Makes the next signing key, and removes those of whose time no sign-in goes on. A key that waits to sign is not
 * replaced: asked twice, or by two servers, it rotates once. The first key signs at once.
 * @returns the key that was made
 */
export async function rotateProviderKeys(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
  readonly longestTokenSeconds: number;
  /** How long a new key is published before it signs. */
  readonly overlapMs: number;
  /** Leaves a key alone that has signed for less. */
  readonly ageMs: number;
  /** Writes the rotation down in its transaction. */
  readonly writeEvent: WriteIdentityEvent;
}): Promise<ComingProviderKey | undefined> {
  const { ageMs, clock, db, longestTokenSeconds, overlapMs, seal } = options;
  return withKeyLock(db, async (client) => {
    const nowMs = clock.now();
    const stored = await readProviderKeys(client, ['signing']);
    const keys = stored.map((key) => ({ ...key, use: SIGNING }));
    const ended = endedKeysAt(keys, nowMs).map(({ kid }) => kid);
    if (ended.length > 0) await deleteProviderKeys(client, ended);
    if (!isRotationDue(keys, SIGNING, { nowMs, ageMs })) return undefined;
    const signsFrom = new Date(nowMs + (keys.length === 0 ? 0 : overlapMs));
    const { kid, ...made } = await makeProviderKey('signing', {
      seal,
      signsFrom,
      longestTokenSeconds,
    });
    await insertProviderKey(client, { kid, ...made }, new Date(nowMs));
    if (keys.length > 0) {
      await options.writeEvent(client, {
        kind: 'signingKeyRotated',
        at: new Date(nowMs),
        sub: undefined,
        username: undefined,
        address: undefined,
        detail: `${kid}: ${signsFrom.toISOString()}`,
      });
    }
    return { kid, signsFrom };
  });
}
