import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { randomSecret } from '../../secrets/secret-hash.ts';
import { makeSm2Pair } from './make-sm2-pair.ts';
import type { ProviderKeyPurpose, StoredProviderKey } from './provider-key-store.ts';

const MODULUS_BITS = 2_048;
const KID_BYTES = 16;

/** A new pair: RSA, or SM2 for passwords of clients that encrypt with it. */
export async function makeProviderKey(
  purpose: ProviderKeyPurpose,
  options: {
    readonly seal: KeySeal;
    readonly signsFrom: Date;
    readonly longestTokenSeconds?: number;
  },
): Promise<StoredProviderKey> {
  const { longestTokenSeconds = 0, seal, signsFrom } = options;
  const { privateKey, publicKey } = purpose === 'password-sm2' ? makeSm2Pair() : await makeRsa();
  const kid = newKid();
  const sealed = seal.seal(privateKey, kid);
  return { kid, purpose, sealed, publicKey, signsFrom, longestTokenSeconds };
}

export function newKid(): string {
  return randomSecret(KID_BYTES);
}

async function makeRsa(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
