import { S3Client } from '@aws-sdk/client-s3';
import type { S3FilesOptions } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

/** A bucket, and the size of the parts in which content is sent to it. */
export interface S3Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly partBytes: number;
  /** Objects on one page of a list; undefined for 1,000, the most that S3 returns. */
  readonly pageSize: number | undefined;
}

const CONNECT_LIMIT_MS = 5_000;
/** Until the response begins, the transfer of one part included. */
const RESPONSE_LIMIT_MS = 60_000;
/** Without any progress of a response, also while its reader is slow. */
const SILENCE_LIMIT_MS = 300_000;
/** Every download in progress holds one. */
const CONNECTIONS = 1_000;

/** An endpoint of another store is addressed by paths: its buckets have no host names. */
export function openBucket({ bucket, partBytes, pageSize, ...options }: S3FilesOptions): S3Bucket {
  const client = new S3Client({
    ...clientOptions(options),
    forcePathStyle: options.endpoint !== undefined,
    // Content is verified by its own digest where it matters, and ranges cannot be checked.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_LIMIT_MS,
      requestTimeout: RESPONSE_LIMIT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_LIMIT_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
  return { client, name: bucket, partBytes, pageSize };
}
