import type { CertificateAuthority } from './certificate-authority.ts';

export interface AnnouncedAuthorities extends Pick<
  CertificateAuthority,
  'authorities' | 'isRotating'
> {
  /** Time over which devices spread their renewals; default: an hour. */
  readonly renewWithinSeconds?: number;
}
