import type { DataSource } from '@deviceportal/contract/data-sources';
import type { AwsCall } from '../platform/aws/aws-package.ts';

/** Tables and messages report their outcomes themselves. */
const byClient: Readonly<Record<string, DataSource>> = {
  AthenaClient: 'analytics',
  CognitoIdentityClient: 'identity-pool',
  CognitoIdentityProviderClient: 'user-pool',
  IoTClient: 'iot-policy',
  IoTDataPlaneClient: 'iot-policy',
  SQSClient: 'audit-trail-queue',
  STSClient: 'air-blast-role',
};

/**
 * The data source of a call to AWS.
 * @param reportBucket undefined if reports are in a folder
 */
export function sourceOfCall(
  { client, command, bucket }: AwsCall,
  reportBucket: string | undefined,
): DataSource | undefined {
  if (client === 'SSMClient' && command.startsWith('GetParameter')) return 'parameters';
  if (client === 'S3Client') {
    return bucket !== undefined && bucket === reportBucket ? 'report-location' : undefined;
  }
  return byClient[client];
}

/** Status codes of a service that works: there is no such object, or the condition is not met. */
const ANSWERS = new Set([304, 404, 409, 412]);

/** Whether an error means that the service did not do what it should. */
export function isFault(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'AbortError') return false;
  if (error.name === 'NoSuchBucket') return true;
  const { $metadata } = error as { $metadata?: { readonly httpStatusCode?: number } };
  return !ANSWERS.has($metadata?.httpStatusCode ?? 0);
}
