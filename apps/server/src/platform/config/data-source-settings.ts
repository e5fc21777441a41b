import { choice, embeddedOnly, embeddedOr, optionalText, optionalUrl, text } from './setting.ts';

const group = 'Data sources';

/** One setting for each data source that docs/design/portal.md, section 3, names. */
export const dataSourceSettings = {
  softwareVersionTable: embeddedOnly(
    {
      env: 'DEVICEPORTAL_SOFTWARE_VERSION_TABLE',
      group,
      description: 'Where software versions are kept.',
    },
    'database',
    'a DynamoDB table',
  ),
  deviceVersionTable: embeddedOnly(
    {
      env: 'DEVICEPORTAL_DEVICE_VERSION_TABLE',
      group,
      description: 'Where the versions that devices report are kept.',
    },
    'database',
    'a DynamoDB table',
  ),
  geolocationTable: embeddedOnly(
    { env: 'DEVICEPORTAL_GEOLOCATION_TABLE', group, description: 'Where geolocations are kept.' },
    'database',
    'a DynamoDB table',
  ),
  databaseUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_DATABASE_URL',
      group,
      secret: true,
      description: 'PostgreSQL 15 or newer in place of the embedded one.',
    },
    ['postgres:', 'postgresql:'],
  ),
  databaseOwnerUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_DATABASE_OWNER_URL',
      group,
      secret: true,
      description:
        'The same database with the role that owns its tables, used for migrations and `npm run restore` only. The role in `DEVICEPORTAL_DATABASE_URL` then needs no rights of its own and cannot change the audit trail.',
    },
    ['postgres:', 'postgresql:'],
  ),
  databaseConnector: choice(
    {
      env: 'DEVICEPORTAL_DATABASE_CONNECTOR',
      group,
      description:
        'Database connector of this environment: `embedded`, `url` (by `DEVICEPORTAL_DATABASE_URL`), or `secret` (host, secret id and database name; not available yet). Default: by what else is set.',
    },
    ['embedded', 'url', 'secret'],
    undefined,
  ),
  databaseHost: optionalText({
    env: 'DEVICEPORTAL_DATABASE_HOST',
    group,
    description: 'Database host, for the connector `secret`.',
  }),
  databaseSecretId: optionalText({
    env: 'DEVICEPORTAL_DATABASE_SECRET_ID',
    group,
    description: 'Id of the secret with user and password, for the connector `secret`.',
  }),
  databaseName: optionalText({
    env: 'DEVICEPORTAL_DATABASE_NAME',
    group,
    description: 'Database name, for the connector `secret`.',
  }),
  analyticsWorkgroup: embeddedOnly(
    {
      env: 'DEVICEPORTAL_ANALYTICS_WORKGROUP',
      group,
      description: 'Engine for questions over history.',
    },
    'database',
    'an Athena workgroup',
  ),
  iotPolicy: embeddedOnly(
    {
      env: 'DEVICEPORTAL_IOT_POLICY',
      group,
      description: 'Policy that grants a viewer the live channel.',
    },
    'embedded',
    'a policy of AWS IoT',
  ),
  identityPool: embeddedOr(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL',
      group,
      description:
        'Identity pool that gives cloud credentials: `embedded`, or the id of a hosted one beside a hosted user pool.',
    },
    { shape: /^[a-z]{2}(-[a-z]+)+-\d:[0-9a-f-]{36}$/, says: 'region:uuid' },
  ),
  identityPoolEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL_ENDPOINT',
      group,
      description: 'Address of the hosted identity pool. Default: the one of its region.',
    },
    ['http:', 'https:'],
  ),
  userPool: embeddedOr(
    {
      env: 'DEVICEPORTAL_USER_POOL',
      group,
      description:
        'User pool in which people sign in: `embedded`, or the id of a hosted one, whose app client needs the flow CUSTOM_AUTH.',
    },
    { shape: /^(?:[a-z]{2}|eusc)(-[a-z]+)+-\d_[0-9A-Za-z]+$/, says: 'region_id' },
  ),
  userPoolClientId: optionalText(
    {
      env: 'DEVICEPORTAL_USER_POOL_CLIENT_ID',
      group,
      description: 'App client of the hosted user pool, without a secret.',
    },
    { test: /^[\w+]{1,128}$/, says: 'must be the id of an app client' },
  ),
  userPoolEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_USER_POOL_ENDPOINT',
      group,
      description: 'Address of the hosted user pool. Default: the one of its region.',
    },
    ['http:', 'https:'],
  ),
  parameterStore: choice(
    {
      env: 'DEVICEPORTAL_PARAMETER_STORE',
      group,
      description:
        'Where `{{ssm:name}}` in documents comes from: `file`, or `ssm`, the Parameter Store of AWS Systems Manager in `DEVICEPORTAL_REGION`, with credentials as AWS programs find theirs.',
    },
    ['file', 'ssm'],
    'file',
  ),
  parameterFile: text(
    {
      env: 'DEVICEPORTAL_PARAMETER_FILE',
      group,
      description:
        'The JSON file of named parameters, relative to the data folder. Without it there are none.',
    },
    'parameters.json',
  ),
  parameterEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_PARAMETER_ENDPOINT',
      group,
      description: 'Address of SSM for the parameter store `ssm`. Default: the one of its region.',
    },
    ['http:', 'https:'],
  ),
  auditTrailQueue: embeddedOnly(
    {
      env: 'DEVICEPORTAL_AUDIT_TRAIL_QUEUE',
      group,
      description: 'Queue over which device events arrive.',
    },
    'mqtt',
    'an SQS queue',
  ),
  reportLocation: text(
    {
      env: 'DEVICEPORTAL_REPORT_LOCATION',
      group,
      description:
        'Where user reports are kept: a folder, relative to the data folder. An `s3://` location is not available yet.',
    },
    'reports',
  ),
};
