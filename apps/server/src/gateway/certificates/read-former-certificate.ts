import { verify, X509Certificate } from 'node:crypto';
import { proofText, type EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import type { FormerCertificate } from '../../devices/enrollment/require-right-to-enroll.ts';

/**
 * The certificate of a key that the machine has proved to possess: issued by one of the accepted authorities, within
 * its validity, with a key that signed this request. Undefined for anything else, because a machine may come from
 * another portal.
 */
export function readFormerCertificate(
  request: EnrollmentRequest,
  { authorities, now }: { readonly authorities: string; readonly now: Date },
): FormerCertificate | undefined {
  if (request.proof === undefined) return undefined;
  try {
    const certificate = new X509Certificate(request.proof.certificate);
    if (!certificatesIn(authorities).some((authority) => isIssuedBy(certificate, authority))) {
      return undefined;
    }
    if (now < certificate.validFromDate || now > certificate.validToDate) return undefined;
    const signature = Buffer.from(request.proof.signature, 'base64');
    const signed = Buffer.from(proofText(request));
    if (!verify('sha256', signed, certificate.publicKey, signature)) return undefined;
    const { CN, OU } = certificate.toLegacyObject().subject;
    return {
      deviceId: oneOf(CN),
      instanceId: oneOf(OU),
      startsAt: certificate.validFromDate,
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    };
  } catch {
    // Not a certificate, or a type of key that the authority never certifies.
    return undefined;
  }
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** A file may contain several certificates; Node parses only the first. */
const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (each) => new X509Certificate(each),
  );

/** Certificates of this installation carry each name once; a repeated one is treated as missing. */
const oneOf = (name: string | string[] | undefined): string | null =>
  typeof name === 'string' ? name : null;
