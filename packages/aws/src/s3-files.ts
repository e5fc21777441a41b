import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { AwsPackage, FileStore, FoundFile } from '@deviceportal/server/aws-package';
import { openBucket, type S3Bucket } from './s3-bucket.ts';
import {
  abortMultipart,
  abortMultipartsOf,
  listMultiparts,
  listParts,
  type BegunMultipart,
} from './s3-multipart.ts';
import { findObject, openObject, putObject } from './s3-object.ts';
import { S3Upload } from './s3-upload.ts';

/** Files as objects of S3, or of a store with its API. */
export const createS3Files: AwsPackage['s3-files']['createS3Files'] = (options) => {
  const bucket = openBucket(options);
  return (folder) => filesIn(bucket, folder === '' ? '' : `${folder}/`);
};

function filesIn(bucket: S3Bucket, folder: string): FileStore {
  const objectOf = (key: string): string => folder + key;
  return {
    put: (key, content, options) => putObject(bucket, objectOf(key), { ...options, content }),
    open: (key, range) => openObject(bucket, objectOf(key), range),
    async find(key) {
      const found = await findObject(bucket, objectOf(key));
      return found && { key, ...found };
    },
    list: (prefix) => listFiles(bucket, folder, prefix),
    async remove(key) {
      const { client, name } = bucket;
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: objectOf(key) }));
      await abortMultipartsOf(bucket, objectOf(key));
    },
    beginUpload: (key, bytes) => new S3Upload(bucket, objectOf(key), bytes),
    async removeUnfinished({ before, prefix = '' }) {
      let count = 0;
      for await (const upload of listMultiparts(bucket, objectOf(prefix))) {
        if (before !== undefined && !(await wasIdleSince(bucket, upload, before))) continue;
        await abortMultipart(bucket, upload);
        count += 1;
      }
      return count;
    },
  };
}

async function* listFiles(
  { client, name, pageSize }: S3Bucket,
  folder: string,
  prefix: string,
): AsyncGenerator<FoundFile> {
  const input = {
    ...{ Bucket: name, Prefix: folder + prefix },
    ...(pageSize && { MaxKeys: pageSize }),
  };
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, input)) {
    for (const { Key = '', Size = 0, LastModified, ETag = '' } of Contents) {
      const modifiedAt = LastModified ?? new Date(0);
      yield { key: Key.slice(folder.length), bytes: Size, modifiedAt, revision: ETag };
    }
  }
}

async function wasIdleSince(
  bucket: S3Bucket,
  upload: BegunMultipart,
  moment: Date,
): Promise<boolean> {
  if (upload.begunAt >= moment) return false;
  const parts = await listParts(bucket, upload);
  return parts.every(({ LastModified }) => LastModified === undefined || LastModified < moment);
}
