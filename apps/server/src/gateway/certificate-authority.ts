import 'reflect-metadata';
import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { DEVICE_CERTIFICATE_DAYS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';

type CryptoKey = webcrypto.CryptoKey;
type CryptoKeyPair = webcrypto.CryptoKeyPair;

cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const AUTHORITY_NAME = 'CN=Device Portal device authority';
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const SERVER_DAYS = 365;
/** Renewed at a start within this time of its end. */
const SERVER_RENEWAL_LEAD_DAYS = 60;
/** Devices' clocks run behind. */
const BACKDATE_MS = 3_600_000;

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** SHA-256 over DER, lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
}

/** The authority behind device certificates and the broker's own; its key never leaves the installation's secrets. */
export interface CertificateAuthority {
  /** PEM of the authority's certificate. */
  readonly authorities: string;
  /** For the broker's TLS port. */
  readonly server: KeyAndCertificate;
  /**
   * Signs a device's certificate request (RFC 2986): common name = device id. A renewed certificate also carries
   * the instance id as its organisational unit, so that it is known before it is first used.
   *
   * @throws PortalError 2004 when the request is not one, its signature is wrong or its key is not on P-256
   */
  readonly sign: (
    certificateRequest: string,
    names: { readonly deviceId: string; readonly instanceId: string | null },
  ) => Promise<IssuedCertificate>;
}

export interface OpenCertificateAuthorityOptions {
  readonly store: SecretEngine;
  /** Names and addresses under which devices reach the broker, besides localhost. */
  readonly hosts: readonly string[];
  readonly clock?: () => Date;
}

export async function openCertificateAuthority(
  options: OpenCertificateAuthorityOptions,
): Promise<CertificateAuthority> {
  const clock = options.clock ?? (() => new Date());
  const { store } = options;
  const authority = await loadAuthority(store, clock());
  const server = await loadServer(store, authority, {
    hosts: [...new Set(['localhost', '127.0.0.1', '::1', ...options.hosts])],
    now: clock(),
  });
  return {
    authorities: authority.certificate.toString('pem'),
    server,
    sign: (certificateRequest, names) =>
      signRequest(authority, certificateRequest, { ...names, now: clock() }),
  };
}

export function fingerprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex');
}

interface Authority {
  readonly key: CryptoKey;
  readonly certificate: X509Certificate;
}

async function loadAuthority(store: SecretEngine, now: Date): Promise<Authority> {
  const found = await readPair(store, 'authority');
  if (found !== undefined) return toAuthority(found);
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerialNumber(),
      name: AUTHORITY_NAME,
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    },
    webcrypto,
  );
  const made = pairText({
    key: await exportKey(keys.privateKey),
    certificate: certificate.toString('pem'),
  });
  // Another server of the same installation may have been quicker: its authority is the one.
  return toAuthority(pairOf(await store.create(fileOf('authority'), made)));
}

async function loadServer(
  store: SecretEngine,
  authority: Authority,
  { hosts, now }: { hosts: readonly string[]; now: Date },
): Promise<KeyAndCertificate> {
  const found = await readPair(store, 'server');
  if (found !== undefined && isStillGood(found, authority, { hosts, now })) return found;
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerialNumber(),
      subject: 'CN=Device Portal broker',
      issuer: authority.certificate.subject,
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + SERVER_DAYS * DAY_MS),
      signingAlgorithm: ALGORITHM,
      signingKey: authority.key,
      publicKey: keys.publicKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(hosts.map(alternativeName)),
        await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      ],
    },
    webcrypto,
  );
  const pair = { key: await exportKey(keys.privateKey), certificate: certificate.toString('pem') };
  await store.replace(fileOf('server'), pairText(pair));
  return pair;
}

const alternativeName = (host: string): { type: 'ip' | 'dns'; value: string } => ({
  type: isIP(host) === 0 ? 'dns' : 'ip',
  value: host,
});

function isStillGood(
  pair: KeyAndCertificate,
  authority: Authority,
  { hosts, now }: { hosts: readonly string[]; now: Date },
): boolean {
  const certificate = new X509Certificate(pair.certificate);
  if (certificate.issuer !== authority.certificate.subject) return false;
  if (certificate.notAfter.getTime() - now.getTime() < SERVER_RENEWAL_LEAD_DAYS * DAY_MS)
    return false;
  const names = certificate.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [];
  const known = new Set(names.map((name) => name.value));
  return hosts.every((host) => known.has(host) || host === '::1');
}

async function signRequest(
  authority: Authority,
  pem: string,
  subject: { readonly deviceId: string; readonly instanceId: string | null; readonly now: Date },
): Promise<IssuedCertificate> {
  const publicKey = await publicKeyOf(pem);
  const endsAt = new Date(subject.now.getTime() + DEVICE_CERTIFICATE_DAYS * DAY_MS);
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerialNumber(),
      subject: `CN=${subject.deviceId}${subject.instanceId === null ? '' : `, OU=${subject.instanceId}`}`,
      issuer: authority.certificate.subject,
      notBefore: new Date(subject.now.getTime() - BACKDATE_MS),
      notAfter: endsAt,
      signingAlgorithm: ALGORITHM,
      signingKey: authority.key,
      publicKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
        await AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      ],
    },
    webcrypto,
  );
  return {
    certificate: certificate.toString('pem'),
    fingerprint: fingerprintOf(certificate),
    startsAt: certificate.notBefore,
    endsAt: certificate.notAfter,
  };
}

async function publicKeyOf(pem: string): Promise<Pkcs10CertificateRequest['publicKey']> {
  let request: Pkcs10CertificateRequest;
  let isSigned: boolean;
  try {
    request = new Pkcs10CertificateRequest(pem);
    isSigned = await request.verify(webcrypto);
  } catch (error) {
    throw badRequest('is not a PKCS #10 request', error);
  }
  if (!isSigned) throw badRequest('is not signed with its own key');
  const { algorithm } = request.publicKey;
  const isP256 =
    algorithm.name === 'ECDSA' && 'namedCurve' in algorithm && algorithm.namedCurve === 'P-256';
  if (!isP256) throw badRequest('needs an EC key on the curve P-256');
  return request.publicKey;
}

const badRequest = (message: string, cause?: unknown): PortalError =>
  new PortalError('invalidParameters', {
    issues: [{ path: ['certificateRequest'], message }],
    cause,
  });

/** 128 random bits, positive (RFC 5280, section 4.1.2.2). */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString('hex');
}

function generateKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportKey(key: CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  const base64 =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${base64.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function importKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}

async function toAuthority({ key, certificate }: KeyAndCertificate): Promise<Authority> {
  return { key: await importKey(key), certificate: new X509Certificate(certificate) };
}

const fileOf = (name: 'authority' | 'server'): string => `certificates/${name}.pem`;

async function readPair(
  store: SecretEngine,
  name: 'authority' | 'server',
): Promise<KeyAndCertificate | undefined> {
  const text = await store.read(fileOf(name));
  return text && pairOf(text);
}

/** Key and certificate in one file, put in place whole: half a pair would lock every device out. */
const pairText = ({ key, certificate }: KeyAndCertificate): Buffer =>
  Buffer.from(`${key}${certificate}\n`);

function pairOf(text: Buffer): KeyAndCertificate {
  const whole = text.toString('utf8');
  const end = whole.indexOf('-----BEGIN CERTIFICATE-----');
  if (end < 0) throw new Error('a file of the device authority holds no certificate');
  return { key: whole.slice(0, end), certificate: whole.slice(end) };
}
