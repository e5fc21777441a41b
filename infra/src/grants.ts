import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { awsActions } from '../../apps/server/src/platform/aws/aws-actions.ts';
import type { DatabaseStack } from './database-stack.ts';
import type { DevicesStack } from './devices-stack.ts';
import { FILES_PREFIX } from './buckets.ts';
import { INSTANCE_TAG } from './managed-instances.ts';
import type { StorageStack } from './storage-stack.ts';

type Adapter = keyof typeof awsActions;
export type ServerRole = 'web' | 'identity' | 'gateway' | 'worker';
export const serverRoles: readonly ServerRole[] = ['web', 'identity', 'gateway', 'worker'];

/** Prefix of the secrets of the installation in Secrets Manager. */
export const SECRETS_PREFIX = 'deviceportal/installation';

export interface Granted {
  readonly stack: Stack;
  readonly database: DatabaseStack;
  readonly storage: StorageStack;
  /** Undefined without AWS IoT Core. */
  readonly devices: DevicesStack | undefined;
  readonly airBlastRoleArn: string;
  /** Sender of SES; undefined without SES. */
  readonly mailFrom: string | undefined;
  readonly sendsTexts: boolean;
}

/** What a task with these roles may call: the actions of the adapters that its settings turn on. */
export function grantsOf(roles: readonly ServerRole[], granted: Granted): PolicyStatement[] {
  const has = (...wanted: readonly ServerRole[]): boolean =>
    wanted.some((role) => roles.includes(role));
  const { stack, database, airBlastRoleArn } = granted;
  return [
    allow('secrets-manager', ['secretsmanager:GetSecretValue'], [database.serverSecret.secretArn]),
    // Only rotations write secrets; the first start has all roles.
    allow(
      'secrets-manager',
      has('worker') ? awsActions['secrets-manager'] : ['secretsmanager:GetSecretValue'],
      [
        stack.formatArn({
          service: 'secretsmanager',
          resource: 'secret',
          resourceName: `${SECRETS_PREFIX}/*`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
    ),
    allow('parameter-store', awsActions['parameter-store'], [
      stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: 'DevicePortal*' }),
    ]),
    ...fileGrants(granted),
    ...(has('worker') ? anchorGrants(granted) : []),
    ...(has('worker') ? tableGrants(granted) : []),
    ...(has('gateway') ? deviceGrants(granted) : []),
    ...(has('web') ? [allow('assume-role', awsActions['assume-role'], [airBlastRoleArn])] : []),
    ...(has('web') ? analyticsGrants(granted) : []),
    ...(has('web', 'identity', 'worker') ? messageGrants(granted) : []),
    ...(has('gateway') ? runCommandGrants(granted) : []),
  ];
}

function fileGrants({ storage }: Granted): PolicyStatement[] {
  const { files } = storage.buckets;
  return [
    allow(
      's3-files',
      [
        's3:AbortMultipartUpload',
        's3:DeleteObject',
        's3:GetObject',
        's3:ListMultipartUploadParts',
        's3:PutObject',
      ],
      [files.arnForObjects(`${FILES_PREFIX}/*`)],
    ),
    allow('s3-files', ['s3:ListBucket', 's3:ListBucketMultipartUploads'], [files.bucketArn]),
  ];
}

/** Also what Athena does with the rights of the server. It reads files by the grants of the files. */
function analyticsGrants({ storage: { analytics } }: Granted): PolicyStatement[] {
  if (analytics === undefined) return [];
  const { results, workgroupArn, catalogArns } = analytics;
  return [
    allow(
      'athena',
      [
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
      ],
      [workgroupArn],
    ),
    allow('athena', ['glue:GetDatabase', 'glue:GetTable'], catalogArns),
    allow('athena', ['s3:GetBucketLocation', 's3:ListBucket'], [results.bucketArn]),
    allow(
      'athena',
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      [results.arnForObjects('results/*')],
    ),
  ];
}

function tableGrants({ storage }: Granted): PolicyStatement[] {
  const tables = storage.tables.all;
  return [
    allow(
      'dynamodb-tables',
      [
        'dynamodb:BatchWriteItem',
        'dynamodb:DeleteItem',
        'dynamodb:DescribeTable',
        'dynamodb:PutItem',
        'dynamodb:Scan',
      ],
      tables.map(({ tableArn }) => tableArn),
    ),
    allow(
      'dynamodb-tables',
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      tables.flatMap(({ tableStreamArn }) => tableStreamArn ?? []),
    ),
  ];
}

function anchorGrants({ storage }: Granted): PolicyStatement[] {
  const { anchors } = storage.buckets;
  return [
    allow(
      'locked-objects',
      ['s3:GetBucketObjectLockConfiguration', 's3:ListBucketVersions'],
      [anchors.bucketArn],
    ),
    allow(
      'locked-objects',
      ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:PutObjectRetention'],
      [anchors.arnForObjects('*')],
    ),
  ];
}

function deviceGrants({ stack, devices }: Granted): PolicyStatement[] {
  if (devices === undefined) return [];
  const iot = (resource: string, resourceName: string): string =>
    stack.formatArn({ service: 'iot', resource, resourceName });
  // Names of things, clients, and topics are the IDs of devices; those of certificates are digests.
  const [thing, certificate] = [iot('thing', '*'), iot('cert', '*')];
  return [
    allow('sqs-queue', awsActions['sqs-queue'], [devices.queue.queueArn]),
    // These are not bound to a resource.
    allow('iot', ['iot:DescribeEndpoint', 'iot:RegisterCertificateWithoutCA'], ['*']),
    allow('iot', ['iot:GetPolicy'], [iot('policy', devices.policyName)]),
    allow('iot', ['iot:CreateThing', 'iot:DeleteThing'], [thing]),
    allow('iot', ['iot:AttachThingPrincipal', 'iot:DetachThingPrincipal'], [thing, certificate]),
    allow(
      'iot',
      [
        'iot:AttachPolicy',
        'iot:UpdateCertificate',
        'iot:DescribeCertificate',
        'iot:DeleteCertificate',
      ],
      [certificate],
    ),
    allow('iot', ['iot:Publish'], [iot('topic', 'deviceportal/devices/*')]),
    allow('iot', ['iot:DeleteConnection'], [iot('client', '*')]),
  ];
}

function messageGrants({ stack, mailFrom, sendsTexts }: Granted): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  if (mailFrom !== undefined) {
    // The address or its domain is verified.
    const identities = [mailFrom, mailFrom.slice(mailFrom.indexOf('@') + 1)];
    statements.push(
      allow(
        'ses-mail',
        awsActions['ses-mail'],
        identities.map((name) =>
          stack.formatArn({ service: 'ses', resource: 'identity', resourceName: name }),
        ),
      ),
    );
  }
  if (sendsTexts) {
    // A phone number is not a resource: everything except topics.
    const topics = stack.formatArn({ service: 'sns', region: '*', account: '*', resource: '*' });
    statements.push(
      new PolicyStatement({ actions: [...awsActions['sns-text']], notResources: [topics] }),
    );
  }
  return statements;
}

/** Commands on managed instances with the tag, by documents of the portal. */
function runCommandGrants({ stack, storage }: Granted): PolicyStatement[] {
  const { queue } = storage.managedInstances ?? {};
  if (queue === undefined) return [];
  const arnOf = (service: string, resource: string, resourceName: string): string =>
    stack.formatArn({ service, resource, resourceName });
  const documents = [arnOf('ssm', 'document', 'DevicePortal*')];
  const tagged = allow(
    'ssm-commands',
    ['ssm:SendCommand'],
    [arnOf('ec2', 'instance', '*'), arnOf('ssm', 'managed-instance', '*')],
  );
  tagged.addCondition('StringEquals', {
    [`ssm:resourceTag/${INSTANCE_TAG.key}`]: INSTANCE_TAG.value,
  });
  return [
    tagged,
    allow(
      'ssm-commands',
      [
        'ssm:CreateDocument',
        'ssm:DescribeDocument',
        'ssm:GetDocument',
        'ssm:SendCommand',
        'ssm:UpdateDocument',
      ],
      documents,
    ),
    // These calls are not bound to a resource.
    allow(
      'ssm-commands',
      [
        'ssm:CancelCommand',
        'ssm:DescribeInstanceInformation',
        'ssm:GetCommandInvocation',
        'ssm:ListCommandInvocations',
        'ssm:ListCommands',
        'ssm:ListTagsForResource',
      ],
      ['*'],
    ),
    allow('resource-tags', awsActions['resource-tags'], ['*']),
    allow('sqs-queue', awsActions['sqs-queue'], [queue.queueArn]),
  ];
}

/** The types allow only actions that the adapter declares. */
function allow<Name extends Adapter>(
  _adapter: Name,
  actions: readonly (typeof awsActions)[Name][number][],
  resources: readonly string[],
): PolicyStatement {
  return new PolicyStatement({ actions: [...actions], resources: [...resources] });
}
