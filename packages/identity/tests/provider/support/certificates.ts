import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

interface Issued {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A server's certificate for exactly these names. */
  issue(names: JsonGeneralName[]): Promise<Issued>;
}

/** A certificate authority of this test alone. */
export async function makeCertificateAuthority(): Promise<CertificateAuthority> {
  const keys = await makeKeys();
  const issuer = 'CN=Authority of a test';
  const root = await X509CertificateGenerator.createSelfSigned({
    name: issuer,
    keys,
    signingAlgorithm: ALGORITHM,
    ...lifetime(),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    certificate: root.toString('pem'),
    async issue(names) {
      const own = await makeKeys();
      const certificate = await X509CertificateGenerator.create({
        issuer,
        subject: 'CN=directory',
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...lifetime(),
        extensions: [new SubjectAlternativeNameExtension(names)],
      });
      return {
        certificate: certificate.toString('pem'),
        privateKey: await pemOf(own.privateKey),
      };
    },
  };
}

async function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function lifetime(): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
}

async function pemOf(key: CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
