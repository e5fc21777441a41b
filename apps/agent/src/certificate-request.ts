/**
 * The device's key (P-256) and its certificate request (RFC 2986). The private key never leaves the
 * device.
 */

import 'reflect-metadata';
import {
  createPrivateKey,
  createPublicKey,
  webcrypto,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';

const generate = promisify(generateKeyPair);
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

export interface CertificateRequest {
  readonly privateKeyPem: string;
  readonly certificateRequestPem: string;
}

export interface CertificateRequestOptions {
  readonly commonName: string;
  /** An existing key; null to generate one. */
  readonly privateKeyPem: string | null;
}

/** PEM (PKCS #8). */
export async function newPrivateKey(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export async function createCertificateRequest(
  options: CertificateRequestOptions,
): Promise<CertificateRequest> {
  const privateKeyPem = options.privateKeyPem ?? (await newPrivateKey());
  const privateKey = createPrivateKey(privateKeyPem);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: [options.commonName] }],
    keys: await toCryptoKeys(privateKey),
    signingAlgorithm: SIGNING,
  });
  return {
    privateKeyPem,
    certificateRequestPem: request.toString('pem'),
  };
}

async function toCryptoKeys(privateKey: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    publicKey: await subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  };
}
