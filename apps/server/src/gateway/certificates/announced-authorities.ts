import type { CertificateAuthority } from './certificate-authority.ts';

export interface AnnouncedAuthorities extends Pick<
  CertificateAuthority,
  'authorities' | 'isRotating'
> {
  /** Over how long devices renew; default: an hour. */
  readonly renewWithinSeconds?: number;
}
