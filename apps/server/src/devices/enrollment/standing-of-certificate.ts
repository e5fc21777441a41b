/** A certificate of the device authority, as its fields say. */
export interface DeviceCertificate {
  /** SHA-256, lower-case hexadecimal. */
  readonly fingerprint: string | null;
  /** Organizational unit: only a renewed certificate has one. */
  readonly instanceId: string | null;
  readonly startsAt: Date | null;
}

/** The certificate that an instance uses. */
export interface CertificateInUse {
  readonly instanceId: string;
  readonly fingerprint: string;
  /** Null where it is not known: from before it was kept. */
  readonly startsAt: Date | null;
}

/** `renewed`: takes the place of the one in use. `superseded`: a newer one has been used since. */
export type CertificateStanding = 'in-use' | 'renewed' | 'superseded' | 'foreign';

/**
 * How a certificate stands to an instance. A renewed one counts beside the one in use until it is first used; from then
 * on what is older counts no more, however long it would be valid: a key that was given up must not open anything. No
 * two certificates of an instance begin at the same moment.
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
