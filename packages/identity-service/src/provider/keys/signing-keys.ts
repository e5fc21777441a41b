import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import { createKeyReading, UNKNOWN_KEY_PAUSE_MS } from '../../keys/key-reading.ts';
import { publishedKeysAt, signingKeyAt } from '../../keys/key-schedule.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { readProviderKeys, type StoredProviderKey } from './provider-key-store.ts';

/** The one use, as the schedule names them. */
export const SIGNING = 'signing';

interface OpenParts {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** For a key set: public, with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK;
}

export interface ProviderSigningKey extends OpenParts {
  readonly kid: string;
}

/** The keys with which tokens are signed (RS256), as the database has them now. */
export interface SigningKeys {
  /** The key that signs at this moment. */
  signer(): Promise<ProviderSigningKey>;
  /** Every published key, the one that signs first. */
  published(): Promise<readonly ProviderSigningKey[]>;
  /**
   * The public key that a token names, for jose.
   * @throws Error when no such key is published
   */
  verifier(header: { readonly kid?: string | undefined }): Promise<KeyObject>;
}

export function createSigningKeys(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
}): SigningKeys {
  const { clock, db, seal } = options;
  const keysOf = createKeyReading({
    clock,
    read: async () =>
      (await readProviderKeys(db, ['signing'])).map((key) => ({ ...key, use: SIGNING })),
    open: async (stored) => openKey(stored, seal),
  });
  const signer = async (): Promise<ProviderSigningKey> => {
    const key = signingKeyAt(await keysOf(), SIGNING, clock.now());
    if (key === undefined) throw new Error('There is no signing key.');
    return key;
  };
  const published = async (maxAgeMs?: number) =>
    publishedKeysAt(await keysOf(maxAgeMs), clock.now());
  return {
    signer,
    async published() {
      const first = await signer();
      const others = (await published()).filter(({ kid }) => kid !== first.kid);
      return [first, ...others];
    },
    async verifier({ kid }) {
      const find = async (maxAgeMs?: number) =>
        (await published(maxAgeMs)).find((key) => key.kid === kid);
      const key = (await find()) ?? (await find(UNKNOWN_KEY_PAUSE_MS));
      if (key === undefined) throw new Error('the key of the token is not published');
      return key.publicKey;
    },
  };
}

function openKey({ kid, publicKey, sealed }: StoredProviderKey, seal: KeySeal): OpenParts {
  const key = createPublicKey(publicKey);
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  return {
    privateKey: createPrivateKey(seal.open(sealed, kid)),
    publicKey: key,
    publicJwk: { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' },
  };
}
