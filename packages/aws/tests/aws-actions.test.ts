import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { awsActions } from '../../../apps/server/src/platform/aws/aws-actions.ts';

const folder = join(import.meta.dirname, '../src');

/** Services by client. */
const services: Readonly<Record<string, string>> = {
  athena: 'athena',
  dynamodb: 'dynamodb',
  'dynamodb-streams': 'dynamodb',
  iot: 'iot',
  'iot-data-plane': 'iot',
  kms: 'kms',
  'resource-groups-tagging-api': 'tag',
  s3: 's3',
  'secrets-manager': 'secretsmanager',
  sesv2: 'ses',
  sns: 'sns',
  sqs: 'sqs',
  ssm: 'ssm',
  sts: 'sts',
};

/** Calls whose action has another name, or that need further ones. */
const special: Readonly<Record<string, readonly string[]>> = {
  // With tags of the session.
  'sts:AssumeRole': ['sts:AssumeRole', 'sts:TagSession'],
  // A message in MIME is checked as both.
  'ses:SendEmail': ['ses:SendEmail', 'ses:SendRawEmail'],
  's3:CompleteMultipartUpload': ['s3:PutObject'],
  's3:CreateMultipartUpload': ['s3:PutObject'],
  's3:GetObjectLockConfiguration': ['s3:GetBucketObjectLockConfiguration'],
  's3:HeadObject': ['s3:GetObject'],
  's3:ListMultipartUploads': ['s3:ListBucketMultipartUploads'],
  's3:ListObjectsV2': ['s3:ListBucket'],
  's3:ListObjectVersions': ['s3:ListBucketVersions'],
  's3:ListParts': ['s3:ListMultipartUploadParts'],
  's3:UploadPart': ['s3:PutObject'],
  'sqs:ChangeMessageVisibilityBatch': ['sqs:ChangeMessageVisibility'],
  'sqs:DeleteMessageBatch': ['sqs:DeleteMessage'],
};

/** Actions that parameters of the calls need: a retention, the ID of a version, and all that a query does. */
const byParameters: Readonly<Record<string, readonly string[]>> = {
  athena: [
    'glue:GetDatabase',
    'glue:GetTable',
    's3:AbortMultipartUpload',
    's3:GetBucketLocation',
    's3:GetObject',
    's3:ListBucket',
    's3:ListMultipartUploadParts',
    's3:PutObject',
  ],
  'locked-objects': ['s3:GetObjectVersion', 's3:PutObjectRetention'],
};

/** The source of an adapter and of the files that it imports. */
function readSources(file: string, read = new Set<string>()): string {
  if (read.has(file)) return '';
  read.add(file);
  const text = readFileSync(join(folder, file), 'utf8');
  const others = text.matchAll(/^(?:import|export|\}) .*from '(\.{1,2}\/[^']+)';$/gm);
  return (
    text +
    Array.from(others, ([, other = '']) => readSources(join(dirname(file), other), read)).join('')
  );
}

function actionsIn(source: string): readonly string[] {
  const imports = source.matchAll(
    /import (?:type )?\{([^}]*)\} from '@aws-sdk\/client-([\w-]+)';/g,
  );
  const actions = Array.from(imports).flatMap(([, names = '', client = '']) =>
    names
      .split(',')
      .map((name) => /^(?:(\w+)Command|paginate(\w+))$/.exec(name.trim()))
      .flatMap((found) => found?.[1] ?? found?.[2] ?? [])
      .map((call) => `${services[client]}:${call}`),
  );
  return [...new Set(actions.flatMap((action) => special[action] ?? action))].toSorted();
}

test.each(Object.entries(awsActions).filter(([name]) => name !== 'rds-tokens'))(
  'the actions of %s are those of its calls',
  (name, actions) => {
    const needed = [...actionsIn(readSources(`${name}.ts`)), ...(byParameters[name] ?? [])];
    expect(needed.toSorted()).toEqual(actions.toSorted());
  },
);
