import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, ExtendedKeyUsage, id_ce_extKeyUsage } from '@peculiar/asn1-x509';
import { InvalidTimeStamp } from './invalid-time-stamp.ts';

const ID_TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const LONGEST_CHAIN = 6;
const MOST_CERTIFICATES = 32;

interface CertificateCheck {
  /** Certificates in the token. */
  readonly others: readonly X509Certificate[];
  /** Trusted certificates. */
  readonly roots: readonly X509Certificate[];
  readonly at: Date;
}

/**
 * Requires a certificate that is only for time stamping (RFC 3161, section 2.3), valid at a time, and issued directly or
 * indirectly by a trusted one.
 *
 * @throws InvalidTimeStamp
 */
export function requireTimeStampingCertificate(
  certificate: X509Certificate,
  check: CertificateCheck,
): void {
  if (!isForTimeStamping(certificate)) {
    throw new InvalidTimeStamp('is signed with a certificate for another purpose');
  }
  if (check.others.length > MOST_CERTIFICATES) {
    throw new InvalidTimeStamp('contains too many certificates');
  }
  if (!leadsToRoot(certificate, check)) {
    throw new InvalidTimeStamp('is not from a trusted authority');
  }
}

/** The only purpose, and critical. */
function isForTimeStamping({ raw }: X509Certificate): boolean {
  const { extensions = [] } = AsnConvert.parse(raw, Certificate).tbsCertificate;
  const usage = [...extensions].find(({ extnID }) => extnID === id_ce_extKeyUsage);
  if (usage?.critical !== true) return false;
  const purposes = AsnConvert.parse(usage.extnValue, ExtendedKeyUsage);
  return purposes.length === 1 && purposes[0] === ID_TIME_STAMPING;
}

/** Follows issuers upward; each certificate of the token is checked once. */
function leadsToRoot(
  certificate: X509Certificate,
  { others, roots, at }: CertificateCheck,
): boolean {
  const left = new Set([...roots, ...others]);
  let reached = [certificate];
  for (let length = 1; length <= LONGEST_CHAIN; length += 1) {
    const valid = reached.filter((each) => isValidAt(each, at));
    if (valid.some(({ raw }) => roots.some((root) => root.raw.equals(raw)))) return true;
    reached = [...left].filter((issuer) => valid.some((each) => isIssuedBy(each, issuer)));
    for (const issuer of reached) left.delete(issuer);
  }
  return false;
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  validFromDate <= at && at <= validToDate;
