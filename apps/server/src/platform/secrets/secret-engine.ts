/**
 * A store for the secrets of an installation outside the database. Names are relative paths such as
 * `keys/installation.key`. All servers of a database must use the same secrets.
 */
export interface SecretEngine {
  /** Undefined if it does not exist. */
  read(name: string): Promise<Buffer | undefined>;
  /** Creates a secret unless it exists, and returns the stored one. */
  create(name: string, secret: Uint8Array): Promise<Buffer>;
  /**
   * Replaces a secret atomically; readers see the old or the new one, also after a power failure.
   */
  replace(name: string, secret: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Location of a secret, for messages to the operator. */
  placeOf(name: string): string;
  /** How the operator gives this server the secrets of the other servers: a sentence. */
  readonly remedy: string;
  /** Interval at which servers read changes of other processes. */
  readonly refreshMs: number;
}
