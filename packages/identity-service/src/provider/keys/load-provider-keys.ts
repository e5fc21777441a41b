import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type pg from 'pg';
import { sm2 } from 'sm-crypto-v2';
import type { Clock } from '../../clock.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { randomSecret } from '../../secrets/secret-hash.ts';
import { withKeyLock } from '../../store/key-store.ts';
import {
  insertProviderKey,
  readProviderKeys,
  type ProviderKeyPurpose,
  type StoredProviderKey,
} from './provider-key-store.ts';

const MODULUS_BITS = 2_048;
const KID_BYTES = 16;

/** The keys of the provider; the first start makes them. */
export interface ProviderKeys {
  /** Signs tokens (RS256). */
  readonly signing: {
    readonly kid: string;
    readonly privateKey: KeyObject;
    readonly publicKey: KeyObject;
    /** For a key set: public, with `kid`, `alg` and `use`. */
    readonly publicJwk: JWK;
  };
  /** Opens passwords; clients fetch the public half (identity-sdk.md, section 6). */
  readonly passwordRsa: {
    readonly privateKey: KeyObject;
    /** SPKI, PEM. */
    readonly publicPem: string;
  };
  /** Both halves hexadecimal; the public one uncompressed, with `04`. */
  readonly passwordSm2: { readonly privateKey: string; readonly publicKey: string };
}

/**
 * @throws SealMismatchError when the database belongs to another installation key
 */
export async function loadProviderKeys(
  db: pg.Pool,
  { clock, seal }: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<ProviderKeys> {
  const stored = await withKeyLock(db, async (client) => {
    const found = new Map((await readProviderKeys(client)).map((key) => [key.purpose, key]));
    const keyFor = async (purpose: ProviderKeyPurpose): Promise<StoredProviderKey> => {
      const known = found.get(purpose);
      if (known !== undefined) return known;
      const made = await makeKey(purpose, seal);
      await insertProviderKey(client, made, new Date(clock.now()));
      return made;
    };
    return {
      signing: await keyFor('signing'),
      rsa: await keyFor('password-rsa'),
      sm2: await keyFor('password-sm2'),
    };
  });
  const open = ({ sealed, kid }: StoredProviderKey): string => seal.open(sealed, kid);
  return {
    signing: signingKey(stored.signing, open(stored.signing)),
    passwordRsa: {
      privateKey: createPrivateKey(open(stored.rsa)),
      publicPem: stored.rsa.publicKey,
    },
    passwordSm2: { privateKey: open(stored.sm2), publicKey: stored.sm2.publicKey },
  };
}

function signingKey({ kid, publicKey }: StoredProviderKey, pem: string): ProviderKeys['signing'] {
  const key = createPublicKey(publicKey);
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  return {
    kid,
    privateKey: createPrivateKey(pem),
    publicKey: key,
    publicJwk: { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' },
  };
}

async function makeKey(purpose: ProviderKeyPurpose, seal: KeySeal): Promise<StoredProviderKey> {
  const kid = randomSecret(KID_BYTES);
  if (purpose === 'password-sm2') {
    const { privateKey, publicKey } = sm2.generateKeyPairHex();
    return { kid, purpose, sealed: seal.seal(privateKey, kid), publicKey };
  }
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { kid, purpose, sealed: seal.seal(pem, kid), publicKey };
}
