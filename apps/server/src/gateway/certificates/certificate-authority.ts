import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import {
  cryptoProvider,
  ExtendedKeyUsage,
  Pkcs10CertificateRequest,
  X509Certificate,
} from '@peculiar/x509';
import { DEVICE_CERTIFICATE_DAYS } from '@deviceportal/contract/constants';
import { keyFingerprint } from '@deviceportal/device-protocol/key-fingerprint';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { SecretEngine } from '../../platform/secrets/secret-engine.ts';
import { BACKDATE_MS, type KeyAndCertificate } from './certificate-files.ts';
import { authoritiesOf, isIssuedByOne, openDeviceAuthorityRing } from './device-authority-ring.ts';
import { issueLeafCertificate } from './issue-leaf-certificate.ts';
import { issueServerCertificate, loadServerCertificate } from './server-certificate.ts';

cryptoProvider.set(webcrypto);

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  /** SHA-256 over DER, lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface CertificateSubject {
  readonly deviceId: string;
  readonly instanceId: string | null;
  /**
   * Start of another certificate of the instance: this one starts at least a second later, because X.509 counts in
   * seconds.
   */
  readonly after?: Date | null;
}

/**
 * The authority that issues device certificates and the broker's own. Its key never leaves the secrets of the
 * installation.
 */
export interface CertificateAuthority {
  /** PEM of every accepted authority and of the next one; the one that signs comes first. */
  readonly authorities: string;
  /** For the broker's TLS port. */
  readonly server: KeyAndCertificate;
  /** True while more than one authority is accepted or announced. */
  readonly isRotating: boolean;
  /**
   * Signs a device's certificate request (RFC 2986): common name = device id. A renewed certificate also carries the
   * instance id as its organizational unit, so that it is identified before its first use.
   * @throws PortalError 2004 when the request is invalid, its signature is wrong, or its key is not on P-256
   */
  readonly sign: (
    certificateRequest: string,
    subject: CertificateSubject,
  ) => Promise<IssuedCertificate>;
  /** Loads changes made by another process. */
  readonly refresh: () => Promise<void>;
}

/** A certificate authority that can be rotated. */
export interface RotatingCertificateAuthority extends CertificateAuthority {
  readonly ring: Awaited<ReturnType<typeof openDeviceAuthorityRing>>;
  /** Makes the next authority the one that signs; certificates of the previous one are accepted until then. */
  readonly promote: (acceptedUntil: Date) => Promise<void>;
  /**
   * Issues the broker's certificate from the current authority, while earlier ones are still accepted.
   * @returns false if it already was
   */
  readonly serveCurrent: () => Promise<boolean>;
}

export interface OpenCertificateAuthorityOptions {
  readonly store: SecretEngine;
  /** Names and addresses under which devices reach the broker, besides localhost. */
  readonly hosts: readonly string[];
  readonly clock?: () => Date;
}

export async function openCertificateAuthority(
  options: OpenCertificateAuthorityOptions,
): Promise<RotatingCertificateAuthority> {
  const { store, clock = () => new Date() } = options;
  const ring = await openDeviceAuthorityRing(store, clock());
  const names = () => ({
    hosts: [...new Set(['localhost', '127.0.0.1', '::1', ...options.hosts])],
    now: clock(),
  });
  let server = await loadServerCertificate(store, ring, names());
  return {
    ring,
    get authorities() {
      return authoritiesOf(ring);
    },
    get server() {
      return server;
    },
    get isRotating() {
      return ring.next !== undefined || ring.earlier.length > 0;
    },
    sign: (certificateRequest, device) =>
      signRequest(ring.current, certificateRequest, { ...device, now: clock() }),
    async refresh() {
      await ring.refresh();
      server = await loadServerCertificate(store, ring, names());
    },
    async promote(acceptedUntil) {
      // The last certificate of the authority that its devices trust: it must be valid as long as they are accepted.
      server = await issueServerCertificate(store, ring.current, names());
      await ring.promote(acceptedUntil);
    },
    async serveCurrent() {
      const served = new X509Certificate(server.certificate);
      if (await isIssuedByOne(served, [ring.current.certificate])) return false;
      server = await issueServerCertificate(store, ring.current, names());
      return true;
    },
  };
}

/**
 * Fingerprint of the key in a certificate request, by `keyFingerprint`. @throws PortalError 2004 as
 * `CertificateAuthority.sign`
 */
export async function readKeyFingerprint(certificateRequest: string): Promise<string> {
  return keyFingerprint(new Uint8Array((await publicKeyOf(certificateRequest)).rawData));
}

function fingerprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex');
}

async function signRequest(
  authority: KeyAndCertificate,
  pem: string,
  subject: CertificateSubject & { readonly now: Date },
): Promise<IssuedCertificate> {
  const { deviceId, instanceId, now } = subject;
  const certificate = await issueLeafCertificate(authority, {
    subject: `CN=${deviceId}${instanceId === null ? '' : `, OU=${instanceId}`}`,
    publicKey: await publicKeyOf(pem),
    usage: ExtendedKeyUsage.clientAuth,
    now,
    days: DEVICE_CERTIFICATE_DAYS,
    notBefore: startOf(subject),
  });
  return {
    certificate: certificate.toString('pem'),
    fingerprint: fingerprintOf(certificate),
    startsAt: certificate.notBefore,
    endsAt: certificate.notAfter,
  };
}

function startOf({ now, after }: { readonly now: Date; readonly after?: Date | null }): Date {
  const earliest = now.getTime() - BACKDATE_MS;
  return new Date(after ? Math.max(earliest, after.getTime() + 1_000) : earliest);
}

async function publicKeyOf(pem: string): Promise<Pkcs10CertificateRequest['publicKey']> {
  let request: Pkcs10CertificateRequest;
  let isSigned: boolean;
  try {
    request = new Pkcs10CertificateRequest(pem);
    isSigned = await request.verify(webcrypto);
  } catch (error) {
    throw badRequest('certificate-request-unreadable', error);
  }
  if (!isSigned) throw badRequest('certificate-request-unsigned');
  const { algorithm } = request.publicKey;
  const isP256 =
    algorithm.name === 'ECDSA' && 'namedCurve' in algorithm && algorithm.namedCurve === 'P-256';
  if (!isP256) throw badRequest('certificate-key-not-p256');
  return request.publicKey;
}

const badRequest = (
  reason:
    | 'certificate-key-not-p256'
    | 'certificate-request-unreadable'
    | 'certificate-request-unsigned',
  cause?: unknown,
): PortalError => refuse(reason, { field: 'certificateRequest', cause });
