import type { AwsPackage } from './aws-package.ts';

/**
 * Actions of IAM that the calls of each adapter need. A test compares them with the calls in
 * `packages/aws/src`, and another one with the policies of `infra`.
 */
export const awsActions = {
  'assume-role': ['sts:AssumeRole', 'sts:TagSession'],
  // Athena does the rest with the rights of the caller.
  athena: [
    'athena:GetQueryExecution',
    'athena:GetQueryResults',
    'athena:StartQueryExecution',
    'athena:StopQueryExecution',
    'glue:GetDatabase',
    'glue:GetTable',
    's3:AbortMultipartUpload',
    's3:GetBucketLocation',
    's3:GetObject',
    's3:ListBucket',
    's3:ListMultipartUploadParts',
    's3:PutObject',
  ],
  'dynamodb-tables': [
    'dynamodb:BatchWriteItem',
    'dynamodb:DeleteItem',
    'dynamodb:DescribeStream',
    'dynamodb:DescribeTable',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:PutItem',
    'dynamodb:Scan',
  ],
  kms: ['kms:Decrypt', 'kms:GenerateDataKey'],
  // With secrets of the account's own key, also `kms:Decrypt`.
  'locked-objects': [
    's3:GetBucketObjectLockConfiguration',
    's3:GetObject',
    's3:GetObjectVersion',
    's3:ListBucketVersions',
    's3:PutObject',
    's3:PutObjectRetention',
  ],
  'parameter-store': ['ssm:GetParameters'],
  'rds-tokens': ['rds-db:connect'],
  's3-files': [
    's3:AbortMultipartUpload',
    's3:DeleteObject',
    's3:GetObject',
    's3:ListBucket',
    's3:ListBucketMultipartUploads',
    's3:ListMultipartUploadParts',
    's3:PutObject',
  ],
  'secrets-manager': [
    'secretsmanager:CreateSecret',
    'secretsmanager:DeleteSecret',
    'secretsmanager:DescribeSecret',
    'secretsmanager:GetSecretValue',
    'secretsmanager:PutSecretValue',
    'secretsmanager:UpdateSecretVersionStage',
  ],
  'ses-mail': ['ses:SendEmail', 'ses:SendRawEmail'],
  'sns-text': ['sns:Publish'],
  'sqs-queue': [
    'sqs:ChangeMessageVisibility',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ReceiveMessage',
  ],
  'ssm-commands': [
    'ssm:CancelCommand',
    'ssm:CreateDocument',
    'ssm:DescribeDocument',
    'ssm:DescribeInstanceInformation',
    'ssm:GetCommandInvocation',
    'ssm:GetDocument',
    'ssm:ListCommandInvocations',
    'ssm:ListCommands',
    'ssm:ListTagsForResource',
    'ssm:SendCommand',
    'ssm:UpdateDocument',
  ],
} as const satisfies Partial<Record<keyof AwsPackage, readonly string[]>>;
