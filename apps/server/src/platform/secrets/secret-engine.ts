/**
 * Where the secrets of an installation are kept, outside the database. Names are relative paths such as
 * `keys/installation.key`; every server of one database must see the same secrets.
 */
export interface SecretEngine {
  /** Undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Keeps a secret unless there is one already, and returns the one that is kept. */
  create(name: string, secret: Uint8Array): Promise<Buffer>;
  /** Replaces a secret as a whole; readers see the old one or the new one, also after a power failure. */
  replace(name: string, secret: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** The place of a secret, in words for the operator. */
  placeOf(name: string): string;
}
