import { randomBytes, webcrypto } from 'node:crypto';

type CryptoKey = webcrypto.CryptoKey;
type CryptoKeyPair = webcrypto.CryptoKeyPair;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
export const DAY_MS = 86_400_000;
/** Tolerates clocks of devices that are behind. */
export const BACKDATE_MS = 3_600_000;

export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
}

/** 128 random bits, positive (RFC 5280, section 4.1.2.2). */
export function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString('hex');
}

/** The fields of every certificate that starts now and is valid for the given number of days. */
export const frameOf = (now: Date, days: number) => ({
  serialNumber: newSerialNumber(),
  notBefore: new Date(now.getTime() - BACKDATE_MS),
  notAfter: new Date(now.getTime() + days * DAY_MS),
  signingAlgorithm: ALGORITHM,
});

export function generateKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

export async function exportKey(key: CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  const base64 =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${base64.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

export function importKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

/** Key and certificate in one file, replaced atomically: an incomplete pair would lock out every device. */
export const pairText = ({ key, certificate }: KeyAndCertificate): Buffer =>
  Buffer.from(`${key}${certificate}\n`);

export function pairOf(text: Buffer): KeyAndCertificate {
  const whole = text.toString('utf8');
  const end = whole.indexOf('-----BEGIN CERTIFICATE-----');
  if (end < 0) throw new Error('a file of the device authority contains no certificate');
  return { key: whole.slice(0, end), certificate: whole.slice(end) };
}
