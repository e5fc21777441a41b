import { createHash } from 'node:crypto';
import { inject } from 'vitest';
import { OutsideTables } from '../../../../../packages/aws/tests/parts/outside-tables.ts';
import {
  partCredentials,
  type PartAddress,
} from '../../../../../packages/aws/tests/parts/start-part.ts';
import { createTestQueue } from '../../../../../packages/aws/tests/parts/test-queue.ts';
import { geolocationTableLayout } from '../../../src/locations/geolocation-table/position-item.ts';
import { deviceTableLayout } from '../../../src/versions/device-table/device-item.ts';
import { softwareTableLayout } from '../../../src/versions/software-table/software-item.ts';
import { FILES_BUCKET, type TestAws } from './start-test-aws.ts';

const REGION = 'us-east-1';

type Settings = Readonly<Record<string, string>>;

const made = new Map<string, Promise<Settings>>();

/**
 * Settings of all servers of an installation with which they use AWS; none in an ordinary run.
 *
 * @param databaseUrl of the installation, which has its own files, secrets, tables, and queue
 * @param own settings of the test. A server in another region uses nothing, because the programs are in this one
 */
export async function awsSettings(databaseUrl: string, own: Settings): Promise<Settings> {
  // Browser tests do not provide it.
  const aws = inject('testAws') ?? null;
  if (aws === null || (own['DEVICEPORTAL_REGION'] ?? REGION) !== REGION) return {};
  const settings = made.get(databaseUrl) ?? makeSettings(aws, databaseUrl);
  made.set(databaseUrl, settings);
  return settings;
}

async function makeSettings(aws: TestAws, databaseUrl: string): Promise<Settings> {
  const name = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  const tables = new OutsideTables(partAt(aws.tables));
  await tables.create(`${name}-software`, softwareTableLayout);
  await tables.create(`${name}-devices`, deviceTableLayout);
  await tables.create(`${name}-places`, geolocationTableLayout);
  const queue = await createTestQueue(partAt(aws.queues), { deadLetters: true });
  return {
    AWS_ACCESS_KEY_ID: partCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: partCredentials.secretAccessKey,
    DEVICEPORTAL_FILES: `s3://${FILES_BUCKET}/${name}`,
    DEVICEPORTAL_FILES_ENDPOINT: aws.files,
    DEVICEPORTAL_SECRETS: `secretsmanager:${name}`,
    DEVICEPORTAL_SECRETS_ENDPOINT: aws.control,
    DEVICEPORTAL_PARAMETER_STORE: 'ssm',
    DEVICEPORTAL_PARAMETER_ENDPOINT: aws.control,
    DEVICEPORTAL_AIR_BLAST_ROLE: 'arn:aws:iam::123456789012:role/deviceportal/air-blast',
    DEVICEPORTAL_STS_ENDPOINT: aws.control,
    DEVICEPORTAL_SOFTWARE_VERSION_TABLE: `${name}-software`,
    DEVICEPORTAL_DEVICE_VERSION_TABLE: `${name}-devices`,
    DEVICEPORTAL_GEOLOCATION_TABLE: `${name}-places`,
    DEVICEPORTAL_TABLE_ENDPOINT: aws.tables,
    DEVICEPORTAL_AUDIT_TRAIL_QUEUE: queue.url,
  };
}

const partAt = (endpoint: string): PartAddress => ({
  ...{ endpoint, region: REGION, credentials: partCredentials },
});
