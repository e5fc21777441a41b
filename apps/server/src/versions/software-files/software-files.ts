import type { Readable } from 'node:stream';

/** A range of bytes of a file, both ends inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Storage of software version files: first as a partial upload, then under its key when complete. */
export interface SoftwareFiles {
  /** Number of bytes received of an upload. */
  partBytes(storageKey: string): Promise<number>;
  /**
   * Writes a part of an upload at its offset; received data is kept if the upload is interrupted. Received bytes may
   * be sent again.
   * @returns number of bytes received so far
   * @throws PortalError 2004 for a part that begins after the received bytes, or is longer than declared; 2004 when
   * the disk is full
   */
  writePart(storageKey: string, piece: ByteRange, content: Readable): Promise<number>;
  /** Completes an upload. @throws when there is none */
  finishPart(storageKey: string): Promise<StoredFile>;
  /** Undefined if the content does not exist (any longer). */
  open(storageKey: string, range?: ByteRange): Promise<Readable | undefined>;
  remove(storageKey: string): Promise<void>;
}
