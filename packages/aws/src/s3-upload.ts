import type { FileContent, FileUpload, StoredFile } from '@deviceportal/server/aws-package';
import { contentFrom, contentPieces } from './content-pieces.ts';
import type { S3Bucket } from './s3-bucket.ts';
import {
  abortMultipart,
  abortMultipartsOf,
  completedPart,
  completeMultipart,
  createMultipart,
  listParts,
  multipartsOf,
  putMultipart,
  type Multipart,
} from './s3-multipart.ts';
import { digestObject, findObject } from './s3-object.ts';

/**
 * An upload as a multipart upload of S3, which is all of its state: any server finds it by its key,
 * and sees the parts that another one stored.
 */
export class S3Upload implements FileUpload {
  readonly #bucket: S3Bucket;
  readonly #objectKey: string;
  readonly #bytes: number;

  constructor(bucket: S3Bucket, objectKey: string, bytes: number) {
    this.#bucket = bucket;
    this.#objectKey = objectKey;
    this.#bytes = bytes;
  }

  async storedBytes(): Promise<number> {
    const upload = await this.#find();
    return upload === undefined ? 0 : (await this.#stored(upload)).bytes;
  }

  async putPart(start: number, content: FileContent): Promise<number> {
    const found = await this.#find();
    const known = found === undefined ? 0 : (await this.#stored(found)).bytes;
    if (start > known) throw new RangeError('the part begins after a gap');
    const upload = found ?? (await this.#begin());
    const { partBytes } = this.#bucket;
    let stored = known;
    for await (const piece of contentPieces(contentFrom(content, known - start), partBytes)) {
      const end = stored + piece.length;
      if (end > this.#bytes) throw new RangeError('the part is longer than the file');
      // S3 takes only whole parts before the last one.
      if (piece.length < partBytes && end < this.#bytes) break;
      const number = stored / partBytes + 1;
      await putMultipart(this.#bucket, upload, { number, content: piece });
      stored = end;
    }
    return stored;
  }

  async finish(): Promise<StoredFile> {
    const upload = await this.#find();
    if (upload !== undefined) await this.#complete(upload);
    const found = await findObject(this.#bucket, this.#objectKey);
    if (found?.bytes !== this.#bytes) throw new RangeError('the upload is not complete');
    await this.abort();
    const stored = await digestObject(this.#bucket, this.#objectKey);
    if (stored === undefined) throw new RangeError('the upload was removed');
    return stored;
  }

  abort(): Promise<void> {
    return abortMultipartsOf(this.#bucket, this.#objectKey);
  }

  async #find(): Promise<Multipart | undefined> {
    return (await multipartsOf(this.#bucket, this.#objectKey))[0];
  }

  /** If two servers begin at the same time, one of their uploads is kept. */
  async #begin(): Promise<Multipart> {
    const own = await createMultipart(this.#bucket, this.#objectKey);
    const first = (await this.#find()) ?? own;
    if (first.id !== own.id) await abortMultipart(this.#bucket, own);
    return first;
  }

  /** The parts without a gap from the beginning. */
  async #stored(upload: Multipart) {
    const parts = [];
    let bytes = 0;
    for (const part of await listParts(this.#bucket, upload)) {
      const { PartNumber, Size = 0 } = part;
      const isWhole = Size === this.#bucket.partBytes || bytes + Size === this.#bytes;
      if (PartNumber !== parts.length + 1 || !isWhole) break;
      parts.push(part);
      bytes += Size;
    }
    return { bytes, parts };
  }

  async #complete(upload: Multipart): Promise<void> {
    const { bytes, parts } = await this.#stored(upload);
    // Another server may be completing it: then it has no parts any more.
    if (bytes !== this.#bytes) return;
    await completeMultipart(this.#bucket, upload, {
      parts: parts.map(completedPart),
      ifAbsent: false,
    }).catch((error: Error) => {
      if (error.name !== 'NoSuchUpload') throw error;
    });
  }
}
