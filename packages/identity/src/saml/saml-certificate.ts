import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { LastingKey } from '../keys/load-provider-keys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findSamlCertificate, insertSamlCertificate } from './saml-certificate-store.ts';

type SelfSignedKeys = Parameters<typeof X509CertificateGenerator.createSelfSigned>[0]['keys'];

const YEARS = 20;
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/**
 * The certificate for service providers: PEM, of the SAML key. Created at the first use, and shared
 * by all servers.
 */
export async function loadSamlCertificate({
  clock,
  db,
  keys,
}: Pick<ProviderContext, 'clock' | 'db' | 'keys'>): Promise<string> {
  const key = await keys.saml();
  const { kid } = key;
  const known = await findSamlCertificate(db, kid);
  if (known !== undefined) return known;
  const at = new Date(clock.now());
  await insertSamlCertificate(db, { kid, certificate: await makeCertificate(key, at), at });
  const kept = await findSamlCertificate(db, kid);
  if (kept === undefined) throw new Error('the certificate was not stored');
  return kept;
}

async function makeCertificate(
  { privateKey, publicKey }: LastingKey,
  notBefore: Date,
): Promise<string> {
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Device Portal identity provider',
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    // Types of Node and of browsers name the same keys differently.
    keys: {
      privateKey: privateKey.toCryptoKey(ALGORITHM, false, ['sign']),
      publicKey: publicKey.toCryptoKey(ALGORITHM, true, ['verify']),
    } as unknown as SelfSignedKeys,
  });
  return certificate.toString('pem');
}
