import { verify, X509Certificate } from 'node:crypto';
import {
  consentText,
  terminalConsentSchema,
  type SignedConsent,
} from '@deviceportal/device-protocol/terminal-consent';

/**
 * Whether the device of a session has signed that a person agreed to exactly this request. A consent to
 * another session, another reason, or of another device is none.
 * @param textOf the bytes that are signed; different for each kind of session
 */
export function isConsentTo(
  {
    id,
    deviceId,
    requestSha256,
  }: {
    readonly id: string;
    readonly deviceId: string;
    readonly requestSha256: string | null;
  },
  consent: SignedConsent | undefined,
  fingerprint: string | null,
  textOf: (payload: string) => string = consentText,
): consent is SignedConsent {
  if (consent === undefined) return false;
  try {
    const certificate = new X509Certificate(consent.certificate);
    if (certificate.fingerprint256.replaceAll(':', '').toLowerCase() !== fingerprint) return false;
    const signed = Buffer.from(textOf(consent.payload));
    const signature = Buffer.from(consent.signature, 'base64');
    if (!verify('sha256', signed, certificate.publicKey, signature)) return false;
    const stated = terminalConsentSchema.parse(JSON.parse(consent.payload));
    return (
      stated.session === id &&
      stated.deviceId === deviceId &&
      stated.requestSha256 === requestSha256
    );
  } catch {
    // Not a certificate, not JSON, or not a consent.
    return false;
  }
}
