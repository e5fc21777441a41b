import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK } from 'jose';
import type { KeySeal } from '../secrets/key-seal.ts';
import type { KeyUse, StoredSigningKey } from '../store/key-store.ts';

const MODULUS_BITS = 2_048;
const KID_BYTES = 32;

/** A new RSA pair for RS256; its `kid` is base64 text as in a hosted pool (cognito.md, section 5). */
export async function makeSigningKey(
  use: KeyUse,
  options: {
    readonly seal: KeySeal;
    readonly signsFrom: Date;
    readonly longestTokenSeconds: number;
  },
): Promise<StoredSigningKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const { e = '', n = '' } = await exportJWK(pair.publicKey);
  const kid = randomBytes(KID_BYTES).toString('base64');
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    kid,
    use,
    sealed: options.seal.seal(pem, kid),
    publicJwk: { alg: 'RS256', e, kid, kty: 'RSA', n, use: 'sig' },
    signsFrom: options.signsFrom,
    longestTokenSeconds: options.longestTokenSeconds,
  };
}
