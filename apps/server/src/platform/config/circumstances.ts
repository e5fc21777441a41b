import type { ReadValues } from './read-values.ts';

export interface Circumstances extends ReadValues {
  readonly production: boolean;
  readonly loopback: boolean;
  /** As Node itself reads it: the certificates of others are not checked. */
  readonly trustsAnyCertificate: boolean;
}
