import { messageTooLong } from './encrypt-rsa.ts';
import { fromBase64, powerModulo, toBase64, toBytes, toHex, toNumber } from './numbers.ts';
import { readPrivateKey, readPublicKey } from './read-key.ts';

export type RsaDigest = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';

/** DER prefix (DigestInfo) of each digest. */
const DIGEST_INFO: Readonly<Record<RsaDigest, readonly number[]>> = {
  'SHA-1': digestInfo([0x2b, 0x0e, 0x03, 0x02, 0x1a], 20),
  'SHA-256': digestInfo([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01], 32),
  'SHA-384': digestInfo([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02], 48),
  'SHA-512': digestInfo([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03], 64),
};

/** Signs a text by RSASSA-PKCS1-v1_5. A key that is too small for the digest is rejected. */
export async function signRsa(
  text: string,
  privateKey: string,
  digest: RsaDigest = 'SHA-256',
): Promise<string> {
  const { modulus, privateExponent, bytes } = readPrivateKey(privateKey);
  const block = await signedBlock(text, digest, bytes);
  return toBase64(toBytes(powerModulo(toNumber(block), privateExponent, modulus), bytes));
}

/** Whether the signature matches the text. */
export async function verifyRsa(
  text: string,
  signature: string,
  publicKey: string,
  digest: RsaDigest = 'SHA-256',
): Promise<boolean> {
  const { modulus, exponent, bytes } = readPublicKey(publicKey);
  const expected = await signedBlock(text, digest, bytes);
  const found = powerModulo(toNumber(fromBase64(signature)), exponent, modulus);
  return toHex(toBytes(found, bytes)) === toHex(expected);
}

async function signedBlock(text: string, digest: RsaDigest, length: number): Promise<Uint8Array> {
  const hash = await crypto.subtle.digest(digest, new TextEncoder().encode(text));
  const info = [...DIGEST_INFO[digest], ...new Uint8Array(hash)];
  const padding = length - info.length - 3;
  if (padding < 8) throw messageTooLong();
  return Uint8Array.from([0, 1, ...Array.from({ length: padding }, () => 0xff), 0, ...info]);
}

function digestInfo(identifier: readonly number[], length: number): readonly number[] {
  const algorithm = [0x06, identifier.length, ...identifier, 0x05, 0x00];
  const inner = [0x30, algorithm.length, ...algorithm, 0x04, length];
  return [0x30, inner.length + length, ...inner];
}
