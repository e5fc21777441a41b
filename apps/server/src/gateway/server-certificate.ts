import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import {
  ALGORITHM,
  BACKDATE_MS,
  DAY_MS,
  exportKey,
  generateKeys,
  importKey,
  newSerialNumber,
  pairOf,
  pairText,
  type KeyAndCertificate,
} from './certificate-files.ts';
import { isIssuedByOne, type DeviceAuthorityRing } from './device-authority-ring.ts';

export const SERVER_FILE = 'certificates/server.pem';
const SERVER_DAYS = 365;
/** Renewed at a start within this time of its end. */
const RENEWAL_LEAD_DAYS = 60;

export interface ServerNames {
  readonly hosts: readonly string[];
  readonly now: Date;
}

/**
 * The certificate of the broker's TLS port. While devices of an earlier authority are accepted, one of that authority
 * stays in use: they know no other yet.
 */
export async function loadServerCertificate(
  store: SecretEngine,
  ring: Pick<DeviceAuthorityRing, 'current' | 'earlier'>,
  names: ServerNames,
): Promise<KeyAndCertificate> {
  const text = await store.read(SERVER_FILE);
  const found = text && pairOf(text);
  const accepted = [ring.current, ...ring.earlier].map(({ certificate }) => certificate);
  if (found !== undefined && (await isStillGood(found, accepted, names))) return found;
  return issueServerCertificate(store, ring.current, names);
}

/** A new certificate from this authority, in place of the one there is. */
export async function issueServerCertificate(
  store: SecretEngine,
  authority: KeyAndCertificate,
  { hosts, now }: ServerNames,
): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const issuer = new X509Certificate(authority.certificate);
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerialNumber(),
      subject: 'CN=Device Portal broker',
      issuer: issuer.subject,
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + SERVER_DAYS * DAY_MS),
      signingAlgorithm: ALGORITHM,
      signingKey: await importKey(authority.key),
      publicKey: keys.publicKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(hosts.map(alternativeName)),
        await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ],
    },
    webcrypto,
  );
  const pair = { key: await exportKey(keys.privateKey), certificate: certificate.toString('pem') };
  await store.replace(SERVER_FILE, pairText(pair));
  return pair;
}

const alternativeName = (host: string): { type: 'ip' | 'dns'; value: string } => ({
  type: isIP(host) === 0 ? 'dns' : 'ip',
  value: host,
});

async function isStillGood(
  pair: KeyAndCertificate,
  authorities: readonly string[],
  { hosts, now }: ServerNames,
): Promise<boolean> {
  const certificate = new X509Certificate(pair.certificate);
  if (!(await isIssuedByOne(certificate, authorities))) return false;
  if (certificate.notAfter.getTime() - now.getTime() < RENEWAL_LEAD_DAYS * DAY_MS) return false;
  const names = certificate.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [];
  const known = new Set(names.map((name) => name.value));
  return hosts.every((host) => known.has(host) || host === '::1');
}
