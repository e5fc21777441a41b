import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeySeal } from '../secrets/key-seal.ts';
import type { KeyUse, StoredKeyPair } from './key-pair-store.ts';
import { makeSm2PrivateKey } from './sm2-pair.ts';

const MODULUS_BITS = 2_048;

/** A new pair: RSA, or SM2 for passwords of clients that encrypt with it. */
export async function makeKeyPair(
  use: KeyUse,
  options: {
    readonly seal: KeySeal;
    readonly signsFrom: Date;
    readonly longestTokenSeconds?: number;
  },
): Promise<StoredKeyPair> {
  const { longestTokenSeconds = 0, seal, signsFrom } = options;
  const kid = newKid(use);
  const privateKey = use === 'password-sm2' ? makeSm2PrivateKey() : await makeRsaPrivateKey();
  return { kid, use, sealed: seal.seal(privateKey, kid), signsFrom, longestTokenSeconds };
}

/** Of the user pool base64 text, as in a hosted one (cognito.md, section 5); of the provider base64url. */
export function newKid(use: KeyUse): string {
  return use === 'id' || use === 'access'
    ? randomBytes(32).toString('base64')
    : randomBytes(16).toString('base64url');
}

async function makeRsaPrivateKey(): Promise<string> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
