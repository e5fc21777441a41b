import type { TestProject } from 'vitest/node';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import { startDynamoDbLocal } from '../../../../../packages/aws/tests/parts/start-dynamodb-local.ts';
import { startElasticMq } from '../../../../../packages/aws/tests/parts/start-elasticmq.ts';
import { startMoto } from '../../../../../packages/aws/tests/parts/start-moto.ts';
import {
  partCredentials,
  type RunningPart,
} from '../../../../../packages/aws/tests/parts/start-part.ts';
import { startVersitygw } from '../../../../../packages/aws/tests/parts/start-versitygw.ts';
import { usesAws } from './uses-aws.ts';

/** Endpoints of the programs that stand in for AWS. */
export interface TestAws {
  /** S3, with the bucket `FILES_BUCKET`. */
  readonly files: string;
  /** Secrets Manager, parameters, and STS. */
  readonly control: string;
  /** SQS. */
  readonly queues: string;
  /** DynamoDB. */
  readonly tables: string;
}

export const FILES_BUCKET = 'deviceportal';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null in an ordinary run, in which servers use the embedded parts. */
    testAws: TestAws | null;
  }
}

/**
 * Vitest's global setup: with `DEVICEPORTAL_TEST_AWS=true`, the servers of all tests use AWS for
 * everything that they can (`npm run test:aws`).
 *
 * @throws Error if a program is missing
 */
export default async function startTestAws(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (!usesAws) {
    project.provide('testAws', null);
    return undefined;
  }
  if (lacks('versitygw', 'moto', 'ElasticMQ', 'DynamoDB Local'))
    throw new Error('Some programs that stand in for AWS are missing.');
  await using starting = new AsyncDisposableStack();
  const use = async (part: Promise<RunningPart>): Promise<string> =>
    starting.use(await part).endpoint;
  const aws: TestAws = {
    files: await use(startVersitygw(FILES_BUCKET)),
    control: await use(startMoto()),
    queues: await use(startElasticMq()),
    tables: await use(startDynamoDbLocal('1g')),
  };
  // The clients of AWS find them there.
  process.env['AWS_ACCESS_KEY_ID'] = partCredentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = partCredentials.secretAccessKey;
  project.provide('testAws', aws);
  const started = starting.move();
  return () => started.disposeAsync();
}
