import type { Readable } from 'node:stream';

/** A range of bytes of a file, both ends inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface FoundFile {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Changes whenever the content is replaced. */
  readonly revision: string;
}

export interface OpenedFile {
  /** Size of the whole file, also for a range. */
  readonly bytes: number;
  /** Must be read or destroyed. */
  readonly content: Readable;
}

export interface PutOptions {
  /** Rejects with the code `EEXIST` if the file exists. */
  readonly ifAbsent?: boolean;
  /** Stops the transfer; nothing is stored then. */
  readonly signal?: AbortSignal | undefined;
}

export interface UnfinishedTransfers {
  /** Only those that were not active since; all if absent. */
  readonly before?: Date;
  /** Only those to keys that begin with this text. */
  readonly prefix?: string;
}

/** Content of a file, in pieces. */
export type FileContent = Readable | AsyncIterable<Uint8Array | string>;

/**
 * Files of one noun by flat keys (`file-key.ts`), the same for all servers of an installation. A file is complete and
 * durable before it has its key, so that a killed server leaves nothing half-written under it. All methods stream.
 */
export interface FileStore {
  /** Stores a file under its key, and replaces one that exists. A source that fails leaves everything unchanged. */
  put(key: string, content: FileContent, options?: PutOptions): Promise<StoredFile>;
  /** Undefined if there is no such file. */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Undefined if there is no such file. */
  find(key: string): Promise<FoundFile | undefined>;
  /** The files whose keys begin with a text, in any order. */
  list(prefix: string): AsyncIterable<FoundFile>;
  /** Deletes a file and what is left of unfinished transfers to its key. A missing file is no error. */
  remove(key: string): Promise<void>;
  /** The upload of a file of a known size. Any server can continue an upload that another one began. */
  beginUpload(key: string, bytes: number): FileUpload;
  /** Deletes what is left of unfinished transfers; returns of how many. */
  removeUnfinished(which: UnfinishedTransfers): Promise<number>;
  /** Path of the file on this machine; absent if files are elsewhere. */
  readonly pathOf?: (key: string) => string;
}

/** A resumable upload. A key is either uploaded or put. */
export interface FileUpload {
  /** Number of bytes stored without a gap from the beginning. */
  storedBytes(): Promise<number>;
  /**
   * Stores content that begins at an offset, which must not be beyond the stored bytes. Bytes that are stored already
   * may be sent again. If the source fails, received bytes are kept, if necessary without the last, incomplete part of
   * `UPLOAD_PART_BYTES`.
   * @returns number of bytes stored so far
   * @throws RangeError for an offset beyond the stored bytes
   */
  putPart(start: number, content: FileContent): Promise<number>;
  /**
   * Completes an upload of which all bytes are stored; again without effect.
   * @throws RangeError if bytes are missing
   */
  finish(): Promise<StoredFile>;
  abort(): Promise<void>;
}

/** Parts that end at a multiple of this size are stored completely by every engine. */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024;
