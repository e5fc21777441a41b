import { importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { readSigningKeys, type KeyUse, type StoredSigningKey } from '../store/key-store.ts';
import { createKeyReading, UNKNOWN_KEY_PAUSE_MS } from './key-reading.ts';
import { publishedKeysAt, signingKeyAt, type ScheduledKey } from './key-schedule.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The signing keys of the pool, as the database has them now: another server may have rotated them. */
export interface KeyRing {
  /** The key that signs tokens of this use at this moment. */
  signer(use: KeyUse): Promise<SigningKey>;
  /** The public key of this name, while it is published. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** Every published key, newest first: those that sign, those that will, and those whose tokens may still live. */
  publicKeys(): Promise<JWK[]>;
}

interface OpenParts {
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
type OpenKey = ScheduledKey & OpenParts;

export function createKeyRing(options: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
}): KeyRing {
  const { clock, pool, seal } = options;
  const keysOf = createKeyReading({
    clock,
    read: () => readSigningKeys(pool),
    open: (stored) => openKey(stored, seal),
  });

  return {
    async signer(use) {
      const key = signingKeyAt(await keysOf(), use, clock.now());
      if (key === undefined) throw new Error(`There is no key for ${use} tokens.`);
      return key;
    },
    async verifier(kid) {
      const find = async (maxAgeMs?: number): Promise<OpenKey | undefined> =>
        publishedKeysAt(await keysOf(maxAgeMs), clock.now()).find((key) => key.kid === kid);
      return ((await find()) ?? (await find(UNKNOWN_KEY_PAUSE_MS)))?.publicKey;
    },
    publicKeys: async () =>
      publishedKeysAt(await keysOf(), clock.now()).map((key) => key.publicJwk),
  };
}

async function openKey(
  { kid, publicJwk, sealed }: StoredSigningKey,
  seal: KeySeal,
): Promise<OpenParts> {
  return {
    publicJwk,
    privateKey: await importPKCS8(seal.open(sealed, kid), 'RS256'),
    publicKey: (await importJWK(publicJwk, 'RS256')) as CryptoKey,
  };
}
