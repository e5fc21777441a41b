import { toBase64 } from './numbers.ts';

/** Key length that older counterparts support. Use longer keys for long-term secrets. */
export const DEFAULT_KEY_BITS = 1024;
export const DEFAULT_EXPONENT = '010001';

export interface RsaKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Generates a key pair, as PEM. */
export async function generateRsaKeys(bits: number = DEFAULT_KEY_BITS): Promise<RsaKeys> {
  const pair = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: bits,
      publicExponent: Uint8Array.from([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  );
  return {
    publicKey: await toPem('PUBLIC KEY', 'spki', pair.publicKey),
    privateKey: await toPem('PRIVATE KEY', 'pkcs8', pair.privateKey),
  };
}

async function toPem(label: string, format: 'spki' | 'pkcs8', key: CryptoKey): Promise<string> {
  const text = toBase64(new Uint8Array(await crypto.subtle.exportKey(format, key)));
  const lines = text.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
