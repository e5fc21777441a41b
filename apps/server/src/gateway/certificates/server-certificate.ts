import 'reflect-metadata';
import { isIP } from 'node:net';
import { ExtendedKeyUsage, SubjectAlternativeNameExtension, X509Certificate } from '@peculiar/x509';
import type { SecretEngine } from '../../platform/secrets/secret-engine.ts';
import {
  DAY_MS,
  exportKey,
  generateKeys,
  pairOf,
  pairText,
  type KeyAndCertificate,
} from './certificate-files.ts';
import { isIssuedByOne, type DeviceAuthorityRing } from './device-authority-ring.ts';
import { issueLeafCertificate } from './issue-leaf-certificate.ts';

export const SERVER_FILE = 'certificates/server.pem';
const SERVER_DAYS = 365;
/** A certificate that ends within this time is renewed at start. */
const RENEWAL_LEAD_DAYS = 60;

export interface ServerNames {
  readonly hosts: readonly string[];
  readonly now: Date;
}

/**
 * The certificate of the broker's TLS port. While devices of an earlier authority are accepted, a certificate of that
 * authority stays in use, because they trust no other yet.
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

/** Issues a new certificate from this authority and replaces the current one. */
export async function issueServerCertificate(
  store: SecretEngine,
  authority: KeyAndCertificate,
  { hosts, now }: ServerNames,
): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const certificate = await issueLeafCertificate(authority, {
    subject: 'CN=Device Portal broker',
    publicKey: keys.publicKey,
    usage: ExtendedKeyUsage.serverAuth,
    now,
    days: SERVER_DAYS,
    extensions: [new SubjectAlternativeNameExtension(hosts.map(alternativeName))],
  });
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
