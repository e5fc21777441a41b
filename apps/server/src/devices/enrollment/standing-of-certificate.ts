/** Fields of a certificate issued by the device authority. */
export interface DeviceCertificate {
  /** SHA-256, lowercase hexadecimal. */
  readonly fingerprint: string | null;
  /** Organizational unit; only in renewed certificates. */
  readonly instanceId: string | null;
  readonly startsAt: Date | null;
}

/** The certificate of an instance that is in use. */
export interface CertificateInUse {
  readonly instanceId: string;
  readonly fingerprint: string;
  /** Null if unknown, for older certificates. */
  readonly startsAt: Date | null;
}

/** `renewed`: replaces the one in use. `superseded`: a newer one has been used. */
export type CertificateStanding = 'in-use' | 'renewed' | 'superseded' | 'foreign';

/**
 * Status of a certificate for an instance. A renewed one is valid in addition to the one in use until it is first used.
 * From then on, older ones are not valid, even before they expire, so that a discarded key cannot be used. No two
 * certificates of an instance start at the same time.
 */
export function standingOf(
  certificate: DeviceCertificate,
  inUse: CertificateInUse,
): CertificateStanding {
  if (certificate.fingerprint === inUse.fingerprint.toLowerCase()) return 'in-use';
  if (certificate.instanceId !== inUse.instanceId) return 'foreign';
  if (inUse.startsAt === null) return 'renewed';
  const isNewer = certificate.startsAt !== null && certificate.startsAt > inUse.startsAt;
  return isNewer ? 'renewed' : 'superseded';
}
