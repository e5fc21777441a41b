import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import {
  deleteSigningKeys,
  insertSigningKey,
  readSigningKeys,
  withKeyLock,
  type KeyUse,
} from '../store/key-store.ts';
import { endedKeysAt, isRotationDue } from './key-schedule.ts';
import { makeSigningKey } from './make-signing-key.ts';

const USES: readonly KeyUse[] = ['id', 'access'];

export interface RotateSigningKeysOptions {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
  readonly tokenLifetimeSeconds: number;
  /** How long a new key is published before it signs. */
  readonly overlapMs: number;
  /** Leaves keys alone that have signed for less. */
  readonly ageMs: number;
}

/** One key that is going to sign. */
export interface ComingKey {
  readonly use: KeyUse;
  readonly kid: string;
  readonly signsFrom: Date;
}

/**
 * Makes the next key of each use and removes those whose last token has expired. A key that waits to sign is not
 * replaced: asked twice, or by two servers, it rotates once. The first key of a use signs at once.
 * @returns the keys that were made
 */
export async function rotateSigningKeys(options: RotateSigningKeysOptions): Promise<ComingKey[]> {
  const { clock, seal, tokenLifetimeSeconds } = options;
  return withKeyLock(options.pool, async (client) => {
    const nowMs = clock.now();
    const keys = await readSigningKeys(client);
    const made: ComingKey[] = [];
    for (const use of USES) {
      if (!isRotationDue(keys, use, { nowMs, ageMs: options.ageMs })) continue;
      const waitMs = keys.some((key) => key.use === use) ? options.overlapMs : 0;
      const key = await makeSigningKey(use, {
        seal,
        signsFrom: new Date(nowMs + waitMs),
        longestTokenSeconds: tokenLifetimeSeconds,
      });
      await insertSigningKey(client, key, new Date(nowMs));
      made.push({ use, kid: key.kid, signsFrom: key.signsFrom });
    }
    const ended = endedKeysAt(keys, nowMs).map(({ kid }) => kid);
    if (ended.length > 0) await deleteSigningKeys(client, ended);
    return made;
  });
}
