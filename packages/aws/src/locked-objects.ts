import {
  GetObjectCommand,
  GetObjectLockConfigurationCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import type { AwsPackage, LockedObject } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

/** Objects in a bucket of S3 with object lock. */
export const createLockedObjects: AwsPackage['locked-objects']['createLockedObjects'] = ({
  bucket: Bucket,
  ...options
}) => {
  const client = new S3Client({
    ...withTimeouts(options),
    forcePathStyle: options.endpoint !== undefined,
  });
  return {
    async hasLock() {
      try {
        const lock = await client.send(new GetObjectLockConfigurationCommand({ Bucket }));
        return lock.ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled';
      } catch (error) {
        if (nameOf(error) === 'ObjectLockConfigurationNotFoundError') return false;
        throw error;
      }
    },
    async put({ key, body, lockedUntil }) {
      const command = new PutObjectCommand({
        ...{ Bucket, Key: key, Body: body, IfNoneMatch: '*' },
        ContentType: 'application/jsonl',
        ChecksumAlgorithm: 'SHA256',
        ObjectLockMode: 'COMPLIANCE',
        ObjectLockRetainUntilDate: lockedUntil,
      });
      try {
        const { VersionId } = await client.send(command);
        return VersionId ?? null;
      } catch (error) {
        if (nameOf(error) === 'PreconditionFailed') return undefined;
        throw error;
      }
    },
    async *list(prefix) {
      let held: Found | undefined;
      let from: Pick<ListObjectVersionsCommandOutput, 'NextKeyMarker' | 'NextVersionIdMarker'> = {};
      do {
        const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = from;
        const page = await client.send(
          new ListObjectVersionsCommand({ Bucket, Prefix: prefix, KeyMarker, VersionIdMarker }),
        );
        for (const entry of entriesOf(page)) {
          if (held !== undefined && held.key !== entry.key) {
            yield held;
            held = undefined;
          }
          held = held === undefined ? entry : joined(held, entry);
        }
        from = page.IsTruncated === true ? page : {};
      } while (from.NextKeyMarker !== undefined);
      if (held !== undefined) yield held;
    },
    async read({ key, versionId }) {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key: key, VersionId: versionId ?? undefined }),
      );
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    },
  };
};

interface Found extends LockedObject {
  readonly at: number;
}

/** Versions and delete markers of a page, by key, newest first. */
function entriesOf({
  Versions = [],
  DeleteMarkers = [],
}: ListObjectVersionsCommandOutput): Found[] {
  const versions = Versions.map(({ Key = '', VersionId, LastModified }) => ({
    ...{ key: Key, versionId: VersionId ?? null, isOnly: true },
    at: LastModified?.getTime() ?? 0,
  }));
  const markers = DeleteMarkers.map(({ Key = '' }) => ({
    ...{ key: Key, versionId: null, isOnly: false, at: Number.POSITIVE_INFINITY },
  }));
  return [...markers, ...versions].toSorted((one, other) =>
    one.key < other.key ? -1 : one.key > other.key ? 1 : 0,
  );
}

/** The earlier of two versions of one key; times have a resolution of a second. */
const joined = (newer: Found, older: Found): Found => ({
  ...(older.at <= newer.at ? older : newer),
  isOnly: false,
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
