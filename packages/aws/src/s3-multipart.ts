import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
  type CompletedPart,
  type ListMultipartUploadsCommandOutput,
  type ListPartsCommandOutput,
  type MultipartUpload,
  type Part,
} from '@aws-sdk/client-s3';
import type { S3Bucket } from './s3-bucket.ts';

/** A multipart upload of S3. */
export interface Multipart {
  readonly objectKey: string;
  readonly id: string;
}

export interface BegunMultipart extends Multipart {
  readonly begunAt: Date;
}

/** S3 checks every part by CRC-32, and the whole by the checksums of its parts. */
const CHECKSUM = { ChecksumAlgorithm: 'CRC32' } as const;

export async function createMultipart(
  { client, name }: S3Bucket,
  objectKey: string,
): Promise<Multipart> {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket: name, Key: objectKey, ...CHECKSUM }),
  );
  if (UploadId === undefined) throw new Error('S3 returned no upload ID');
  return { objectKey, id: UploadId };
}

/** @param number from 1 */
export async function putMultipart(
  { client, name }: S3Bucket,
  { objectKey, id }: Multipart,
  { number, content }: { readonly number: number; readonly content: Buffer },
): Promise<CompletedPart> {
  const { ETag, ChecksumCRC32 } = await client.send(
    new UploadPartCommand({
      ...{ Bucket: name, Key: objectKey, UploadId: id, PartNumber: number },
      ...{ Body: content, ContentLength: content.length, ...CHECKSUM },
    }),
  );
  return completedPart({ PartNumber: number, ETag, ChecksumCRC32 });
}

export async function completeMultipart(
  { client, name }: S3Bucket,
  { objectKey, id }: Multipart,
  { parts, ifAbsent }: { readonly parts: readonly CompletedPart[]; readonly ifAbsent: boolean },
): Promise<void> {
  await client.send(
    new CompleteMultipartUploadCommand({
      ...{ Bucket: name, Key: objectKey, UploadId: id },
      MultipartUpload: { Parts: [...parts] },
      ...(ifAbsent && { IfNoneMatch: '*' }),
    }),
  );
}

/** An upload that has ended meanwhile is no error. */
export async function abortMultipart(
  { client, name }: S3Bucket,
  { objectKey, id }: Multipart,
): Promise<void> {
  await client
    .send(new AbortMultipartUploadCommand({ Bucket: name, Key: objectKey, UploadId: id }))
    .catch((error: Error) => {
      if (error.name !== 'NoSuchUpload') throw error;
    });
}

/** Unfinished uploads of all objects whose keys begin with a text. */
export async function* listMultiparts(
  { client, name, pageSize }: S3Bucket,
  prefix: string,
): AsyncGenerator<BegunMultipart> {
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    page = await client.send(
      new ListMultipartUploadsCommand({
        ...{ Bucket: name, Prefix: prefix },
        ...(pageSize && { MaxUploads: pageSize }),
        ...(page?.NextKeyMarker && { KeyMarker: page.NextKeyMarker }),
        ...(page?.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
      }),
    );
    yield* (page.Uploads ?? []).map(begunMultipart);
  } while (page.IsTruncated === true);
}

/** Unfinished uploads of one object, the one that all servers continue first. */
export async function multipartsOf(bucket: S3Bucket, objectKey: string): Promise<BegunMultipart[]> {
  const found: BegunMultipart[] = [];
  for await (const each of listMultiparts(bucket, objectKey)) {
    if (each.objectKey === objectKey) found.push(each);
  }
  return found.toSorted(
    (one, other) => one.begunAt.getTime() - other.begunAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}

export async function abortMultipartsOf(bucket: S3Bucket, objectKey: string): Promise<void> {
  for (const each of await multipartsOf(bucket, objectKey)) await abortMultipart(bucket, each);
}

/** The stored parts, in order; none of an upload that has ended. */
export async function listParts(bucket: S3Bucket, upload: Multipart): Promise<Part[]> {
  const found: Part[] = [];
  let page: ListPartsCommandOutput | undefined;
  do {
    page = await listPartsAfter(bucket, upload, page?.NextPartNumberMarker);
    found.push(...(page?.Parts ?? []));
    // Stores return a marker on the last page, too.
  } while (page?.IsTruncated === true);
  return found.toSorted((one, other) => (one.PartNumber ?? 0) - (other.PartNumber ?? 0));
}

async function listPartsAfter(
  { client, name, pageSize }: S3Bucket,
  { objectKey, id }: Multipart,
  marker: string | undefined,
): Promise<ListPartsCommandOutput | undefined> {
  const command = new ListPartsCommand({
    ...{ Bucket: name, Key: objectKey, UploadId: id },
    ...(pageSize && { MaxParts: pageSize }),
    ...(marker && { PartNumberMarker: marker }),
  });
  return client.send(command).catch((error: Error) => {
    if (error.name !== 'NoSuchUpload') throw error;
    return undefined;
  });
}

export const completedPart = ({ PartNumber, ETag, ChecksumCRC32 }: Part): CompletedPart => ({
  PartNumber,
  ETag,
  ...(ChecksumCRC32 !== undefined && { ChecksumCRC32 }),
});

const begunMultipart = ({ Key = '', UploadId = '', Initiated }: MultipartUpload) => ({
  objectKey: Key,
  id: UploadId,
  begunAt: Initiated ?? new Date(0),
});
