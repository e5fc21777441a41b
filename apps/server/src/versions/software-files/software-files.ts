import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where the files of software versions are kept: a part at first, under its key once it is whole. */
export interface SoftwareFiles {
  /** How many bytes of an upload are here. */
  partBytes(storageKey: string): Promise<number>;
  /**
   * Writes a piece of an upload where it belongs; what has come stays when it breaks off. Bytes that are there already
   * may come again.
   * @returns how many bytes are here now
   * @throws PortalError 2004 for a piece that begins beyond what is here, or is longer than it said; 2004 when the disk is full
   */
  writePart(storageKey: string, piece: ByteRange, content: Readable): Promise<number>;
  /** Takes a whole upload in. @throws when there is none */
  finishPart(storageKey: string): Promise<StoredFile>;
  /** Undefined when the content is not (or no more) there. */
  open(storageKey: string, range?: ByteRange): Promise<Readable | undefined>;
  remove(storageKey: string): Promise<void>;
}
