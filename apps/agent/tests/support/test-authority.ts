/**
 * A certificate authority for tests: the broker's certificate for 127.0.0.1, and client
 * certificates.
 */

import 'reflect-metadata';
import { createPrivateKey, webcrypto, type KeyObject } from 'node:crypto';
import { generateKeyPairSync, createPublicKey } from 'node:crypto';
import {
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  BasicConstraintsExtension,
} from '@peculiar/x509';

const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export interface TestAuthority {
  readonly certificate: string;
  readonly server: { readonly certificate: string; readonly key: string };
  /** Signs a request for this common name, valid for `lifeMs` from now or from `fromMs`. */
  sign(
    requestPem: string,
    commonName: string,
    life?: { fromMs: number; toMs: number },
  ): Promise<string>;
}

interface Pair {
  readonly pem: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

async function createPair(): Promise<Pair> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    keys: await toKeys(privateKey),
  };
}

async function toKeys(privateKey: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const pkcs8 = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
    type: 'pkcs8',
    format: 'der',
  });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']),
    publicKey: await subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  };
}

const DAY_MS = 86_400_000;

export async function createTestAuthority(): Promise<TestAuthority> {
  const authority = await createPair();
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test devices',
    keys: authority.keys,
    signingAlgorithm: SIGNING,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 30 * DAY_MS),
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  const issue = (
    subject: string,
    publicKey: webcrypto.CryptoKey | Pkcs10CertificateRequest['publicKey'],
    from: Date,
    to: Date,
  ) =>
    X509CertificateGenerator.create({
      issuer: root.subject,
      subject,
      publicKey,
      signingKey: authority.keys.privateKey,
      signingAlgorithm: SIGNING,
      notBefore: from,
      notAfter: to,
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: 'ip', value: '127.0.0.1' },
          { type: 'dns', value: 'localhost' },
        ]),
      ],
    });
  const server = await createPair();
  const yesterday = new Date(Date.now() - DAY_MS);
  const nextMonth = new Date(Date.now() + 30 * DAY_MS);
  const serverCertificate = await issue(
    'CN=localhost',
    server.keys.publicKey,
    yesterday,
    nextMonth,
  );
  return {
    certificate: root.toString('pem'),
    server: { certificate: serverCertificate.toString('pem'), key: server.pem },
    sign: async (requestPem, commonName, life) => {
      const request = new Pkcs10CertificateRequest(requestPem);
      const from = life ? new Date(life.fromMs) : yesterday;
      const to = life ? new Date(life.toMs) : nextMonth;
      return (await issue(`CN=${commonName}`, request.publicKey, from, to)).toString('pem');
    },
  };
}
