import { channel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import type { AwsCall } from '../platform/aws/aws-package.ts';
import type { FilesConfig } from '../platform/config/config.ts';
import { recordAwsCalls } from './record-aws-calls.ts';

const reports: FilesConfig = {
  kind: 's3',
  ...{ bucket: 'reports', prefix: [], region: 'eu-central-1', endpoint: undefined },
};

/** The outcomes that are recorded of calls. */
function outcomesOf(...calls: readonly Partial<AwsCall>[]): string[] {
  const outcomes: string[] = [];
  const log = {
    answered: (source: string) => void outcomes.push(`${source} answered`),
    failed: (source: string) => void outcomes.push(`${source} failed`),
  };
  using _recording = recordAwsCalls(log, reports);
  for (const call of calls) channel('deviceportal:aws-call').publish(call);
  return outcomes;
}

const errorOf = (name: string, httpStatusCode?: number): Error =>
  Object.assign(new Error('refused'), { name, $metadata: { httpStatusCode } });

test('calls count for the data source that they reach', () => {
  expect(
    outcomesOf(
      { client: 'SQSClient', command: 'ReceiveMessageCommand' },
      { client: 'SSMClient', command: 'GetParametersCommand' },
      { client: 'SSMClient', command: 'SendCommandCommand' },
      { client: 'AthenaClient', command: 'StartQueryExecutionCommand' },
      { client: 'S3Client', command: 'PutObjectCommand', bucket: 'reports' },
      { client: 'S3Client', command: 'PutObjectCommand', bucket: 'anchors' },
    ),
  ).toEqual([
    'audit-trail-queue answered',
    'parameters answered',
    'analytics answered',
    'report-location answered',
  ]);
});

test('an error fails, unless the service answered as it should or the call was aborted', () => {
  const call = { client: 'S3Client', command: 'GetObjectCommand', bucket: 'reports' };
  expect(
    outcomesOf(
      { ...call, error: errorOf('AccessDenied', 403) },
      { ...call, error: errorOf('NoSuchKey', 404) },
      { ...call, error: errorOf('NoSuchBucket', 404) },
      { ...call, error: errorOf('PreconditionFailed', 412) },
      { ...call, error: errorOf('AbortError') },
      { ...call, error: new Error('connect ECONNREFUSED') },
    ),
  ).toEqual([
    'report-location failed',
    'report-location answered',
    'report-location failed',
    'report-location answered',
    'report-location failed',
  ]);
});
