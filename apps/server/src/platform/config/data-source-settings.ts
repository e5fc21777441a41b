import { analyticsSettings } from './analytics/analytics-settings.ts';
import { databaseSettings } from './database/database-settings.ts';
import { fileLocation } from './file-location.ts';
import { choice, embeddedOr, optionalText, optionalUrl, text } from './setting.ts';
import { tableSettings } from './tables/table-settings.ts';

const group = 'Data sources';

/** One setting for each data source of docs/design/portal.md, section 3. */
export const dataSourceSettings = {
  ...tableSettings,
  ...databaseSettings,
  ...analyticsSettings,
  iotPolicy: embeddedOr(
    {
      env: 'DEVICEPORTAL_IOT_POLICY',
      group,
      description:
        'Policy of the certificates of devices: that of the broker (`embedded`), or the name of a policy of AWS IoT. With a name, devices connect to AWS IoT Core in `DEVICEPORTAL_REGION`, and their messages arrive by `DEVICEPORTAL_AUDIT_TRAIL_QUEUE`. Requires the package `aws`.',
    },
    { shape: /^[\w+=,.@-]{1,128}$/, says: 'the name of a policy' },
  ),
  identityPool: embeddedOr(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL',
      group,
      description:
        'Identity pool that issues cloud credentials: `embedded`, or the ID of a hosted one for a hosted user pool.',
    },
    { shape: /^[a-z]{2}(-[a-z]+)+-\d:[0-9a-f-]{36}$/, says: 'region:uuid' },
  ),
  identityPoolEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL_ENDPOINT',
      group,
      description: 'Endpoint of the hosted identity pool. Default: the endpoint of its region.',
    },
    ['http:', 'https:'],
  ),
  identityPoolAccountId: optionalText(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL_ACCOUNT_ID',
      group,
      description:
        'ID of the AWS account of the hosted identity pool, which browsers then send with `GetId`.',
    },
    { test: /^\d{12}$/, says: 'must be an account ID of 12 digits' },
  ),
  userPool: embeddedOr(
    {
      env: 'DEVICEPORTAL_USER_POOL',
      group,
      description:
        'User pool for sign-in: `embedded`, or the ID of a hosted one. Its app client requires the CUSTOM_AUTH flow.',
    },
    { shape: /^(?:[a-z]{2}|eusc)(-[a-z]+)+-\d_[0-9A-Za-z]+$/, says: 'region_id' },
  ),
  userPoolClientId: optionalText(
    {
      env: 'DEVICEPORTAL_USER_POOL_CLIENT_ID',
      group,
      description: 'App client ID of the hosted user pool. The app client must not have a secret.',
    },
    { test: /^[\w+]{1,128}$/, says: 'must be an app client ID' },
  ),
  userPoolEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_USER_POOL_ENDPOINT',
      group,
      description: 'Endpoint of the hosted user pool. Default: the endpoint of its region.',
    },
    ['http:', 'https:'],
  ),
  airBlastRole: optionalText(
    {
      env: 'DEVICEPORTAL_AIR_BLAST_ROLE',
      group,
      description:
        'ARN of a role in AWS that an operator of an AirBlast rollout must also be able to assume, for 900 seconds. Requires the package `aws`. Default: only the role in this installation.',
    },
    {
      test: /^arn:aws(?:-[a-z-]+)?:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
      says: 'must be the ARN of a role',
    },
  ),
  stsEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_STS_ENDPOINT',
      group,
      description:
        'Endpoint of the Security Token Service for `DEVICEPORTAL_AIR_BLAST_ROLE`. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  parameterStore: choice(
    {
      env: 'DEVICEPORTAL_PARAMETER_STORE',
      group,
      description:
        'Parameter store for `{{ssm:name}}` in documents: `file`, or `ssm` for the Parameter Store of AWS Systems Manager in `DEVICEPORTAL_REGION`, with the default AWS credentials. `ssm` requires the package `aws`.',
    },
    ['file', 'ssm'],
    'file',
  ),
  parameterFile: text(
    {
      env: 'DEVICEPORTAL_PARAMETER_FILE',
      group,
      description:
        'JSON file of named parameters, relative to the data folder. If it does not exist, there are no parameters.',
    },
    'parameters.json',
  ),
  parameterEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_PARAMETER_ENDPOINT',
      group,
      description:
        'SSM endpoint for the parameter store `ssm`. Default: the endpoint of its region.',
    },
    ['http:', 'https:'],
  ),
  auditTrailQueue: embeddedOr(
    {
      env: 'DEVICEPORTAL_AUDIT_TRAIL_QUEUE',
      group,
      description:
        'Queue of device events: the broker alone (`mqtt`), or also a standard SQS queue by its URL, which a rule of AWS IoT or another program fills.',
    },
    { shape: /^https?:\/\/[^/]+\/.*[\w-]+$/, says: 'https://host/account/queue' },
    'mqtt',
  ),
  files: fileLocation(
    {
      env: 'DEVICEPORTAL_FILES',
      group,
      description:
        'Place of software files, collected files, archived months of the audit trail, and reports: `directory` for the data folder, or `s3://bucket/prefix` for S3 or a store with its API, in `DEVICEPORTAL_REGION` and with the default AWS credentials. Several servers with data folders of their own require `s3://`, which requires the package `aws`.',
    },
    { fallback: 'directory', folders: false },
  ),
  filesEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_FILES_ENDPOINT',
      group,
      description:
        'Endpoint of a store with the API of S3, for `s3://` locations. Buckets are addressed by path. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  reportLocation: fileLocation(
    {
      env: 'DEVICEPORTAL_REPORT_LOCATION',
      group,
      description:
        'Place of user reports and exports of the audit trail: a folder, relative to the data folder, or `s3://bucket/prefix`. Default: `reports` in the place of `DEVICEPORTAL_FILES`.',
    },
    { fallback: 'reports', folders: true },
  ),
};
