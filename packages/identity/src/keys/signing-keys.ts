import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { readKeyPairs, type KeyUse, type StoredKeyPair } from './key-pair-store.ts';
import { createKeyReading, UNKNOWN_KEY_PAUSE_MS } from './key-reading.ts';
import { publishedKeysAt, signingKeyAt, type ScheduledKey } from './key-schedule.ts';

export interface OpenKeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

interface OpenParts extends OpenKeyPair {
  /** For a key set: public, with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK;
}

export interface SigningKey<Use extends KeyUse = KeyUse> extends OpenParts {
  readonly kid: string;
  readonly use: Use;
}

/**
 * The keys with which one issuer signs (RS256), as the database has them now: another server may have rotated them. Keys
 * of other uses are none of its keys.
 */
export interface SigningKeys<Use extends KeyUse> {
  /** The key that signs for this use at this moment. */
  signer(use: Use): Promise<SigningKey<Use>>;
  /** The key of this name, while it is published. */
  find(kid: string): Promise<SigningKey<Use> | undefined>;
  /** Every published key: first those that sign now, then the others, newest first. */
  published(): Promise<readonly SigningKey<Use>[]>;
}

export function createSigningKeys<Use extends KeyUse>(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
  readonly uses: readonly Use[];
}): SigningKeys<Use> {
  const { clock, db, seal, uses } = options;
  const keysOf = createKeyReading({
    clock,
    read: () => readKeyPairs(db, uses),
    open: async (stored) => openSigningKey(stored, seal),
  });
  type Open = ScheduledKey & SigningKey<Use>;
  const published = async (maxAgeMs?: number): Promise<Open[]> =>
    // They were read by their use.
    publishedKeysAt((await keysOf(maxAgeMs)) as readonly Open[], clock.now());
  const signer = async (use: Use): Promise<SigningKey<Use>> => {
    const key = signingKeyAt(await published(), use, clock.now());
    if (key === undefined) throw new Error(`No key for the use ${use}.`);
    return key;
  };
  return {
    signer,
    async find(kid) {
      const findIn = async (maxAgeMs?: number) =>
        (await published(maxAgeMs)).find((key) => key.kid === kid);
      return (await findIn()) ?? findIn(UNKNOWN_KEY_PAUSE_MS);
    },
    async published() {
      const all = (await published()).toReversed();
      const signing = new Set(uses.map((use) => signingKeyAt(all, use, clock.now())?.kid));
      return [
        ...all.filter(({ kid }) => signing.has(kid)),
        ...all.filter(({ kid }) => !signing.has(kid)),
      ];
    },
  };
}

/** Both halves; only the private key is stored. */
export function openKeyPair({ kid, sealed }: StoredKeyPair, seal: KeySeal): OpenKeyPair {
  const privateKey = createPrivateKey(seal.open(sealed, kid));
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function openSigningKey(stored: StoredKeyPair, seal: KeySeal): OpenParts {
  const pair = openKeyPair(stored, seal);
  const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
  return { ...pair, publicJwk: { alg: 'RS256', e, kid: stored.kid, kty: 'RSA', n, use: 'sig' } };
}
