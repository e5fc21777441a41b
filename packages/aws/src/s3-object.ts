import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import type {
  ByteRange,
  FileContent,
  OpenedFile,
  PutOptions,
  StoredFile,
} from '@deviceportal/server/aws-package';
import { contentPieces } from './content-pieces.ts';
import type { S3Bucket } from './s3-bucket.ts';
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  putMultipart,
  type Multipart,
} from './s3-multipart.ts';

export interface FoundObject {
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly revision: string;
}

/** Of a conditional write that met another one: it can be repeated. */
const CONFLICT_ATTEMPTS = 5;

/** Undefined if there is no such object. */
export async function findObject(
  { client, name }: S3Bucket,
  objectKey: string,
): Promise<FoundObject | undefined> {
  const found = await client
    .send(new HeadObjectCommand({ Bucket: name, Key: objectKey }))
    .catch(unlessAbsent);
  return (
    found && {
      bytes: found.ContentLength ?? 0,
      modifiedAt: found.LastModified ?? new Date(0),
      revision: found.ETag ?? '',
    }
  );
}

/** Undefined if there is no such object. */
export async function openObject(
  { client, name }: S3Bucket,
  objectKey: string,
  range?: ByteRange,
): Promise<OpenedFile | undefined> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const found = await client
    .send(new GetObjectCommand({ Bucket: name, Key: objectKey, Range }))
    .catch(unlessAbsent);
  if (found === undefined) return undefined;
  const total = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
  return {
    bytes: total === undefined ? (found.ContentLength ?? 0) : Number(total),
    content: found.Body as Readable,
  };
}

/** Size and digest of an object as it is stored. */
export async function digestObject(
  bucket: S3Bucket,
  objectKey: string,
): Promise<StoredFile | undefined> {
  const opened = await openObject(bucket, objectKey);
  if (opened === undefined) return undefined;
  const hash = createHash('sha256');
  await pipeline(opened.content, hash);
  return { bytes: opened.bytes, sha256: hash.digest('hex') };
}

/**
 * Stores an object: in one request if it fits into a part, else in parts.
 * @throws Error with the code `EEXIST` if it was to be absent
 */
export async function putObject(
  bucket: S3Bucket,
  objectKey: string,
  { content, ifAbsent = false, signal }: PutOptions & { readonly content: FileContent },
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const source = content instanceof Readable ? content : Readable.from(content);
  if (signal !== undefined) addAbortSignal(signal, source);
  const pieces = measured(contentPieces(source, bucket.partBytes), (piece) => {
    hash.update(piece);
    bytes += piece.length;
  });
  const target = { bucket, objectKey, ifAbsent, signal };
  const first = (await pieces.next()).value ?? Buffer.alloc(0);
  await (first.length < bucket.partBytes
    ? putWhole(target, { content: first, sha256: hash.copy().digest('base64') })
    : putInParts(target, first, pieces));
  return { bytes, sha256: hash.digest('hex') };
}

interface PutTarget {
  readonly bucket: S3Bucket;
  readonly objectKey: string;
  readonly ifAbsent: boolean;
  readonly signal: AbortSignal | undefined;
}

async function putWhole(
  { bucket: { client, name }, objectKey, ifAbsent, signal }: PutTarget,
  { content, sha256 }: { readonly content: Buffer; readonly sha256: string },
): Promise<void> {
  const command = new PutObjectCommand({
    ...{ Bucket: name, Key: objectKey, Body: content, ContentLength: content.length },
    ChecksumSHA256: sha256,
    ...(ifAbsent && { IfNoneMatch: '*' }),
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(command, signal && { abortSignal: signal });
      return;
    } catch (error) {
      const isConflict = (error as Error).name === 'ConditionalRequestConflict';
      if (!isConflict || attempt === CONFLICT_ATTEMPTS) throw orExists(error);
    }
  }
}

async function putInParts(
  { bucket, objectKey, ifAbsent, signal }: PutTarget,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): Promise<void> {
  const upload = await createMultipart(bucket, objectKey);
  try {
    const parts = [await putMultipart(bucket, upload, { number: 1, content: first })];
    for await (const content of rest) {
      parts.push(await putMultipart(bucket, upload, { number: parts.length + 1, content }));
    }
    signal?.throwIfAborted();
    await complete(bucket, upload, { parts, ifAbsent });
  } catch (error) {
    await abortMultipart(bucket, upload).catch(() => {});
    throw error;
  }
}

async function complete(
  bucket: S3Bucket,
  upload: Multipart,
  options: { readonly parts: readonly CompletedPart[]; readonly ifAbsent: boolean },
): Promise<void> {
  await completeMultipart(bucket, upload, options).catch((error: unknown) => {
    throw orExists(error);
  });
}

async function* measured(
  pieces: AsyncIterable<Buffer>,
  onPiece: (piece: Buffer) => void,
): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    onPiece(piece);
    yield piece;
  }
}

function orExists(error: unknown): unknown {
  if ((error as Error).name !== 'PreconditionFailed') return error;
  return Object.assign(new Error('the file exists', { cause: error }), { code: 'EEXIST' });
}

function unlessAbsent(error: Error): undefined {
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') return undefined;
  throw error;
}
