import { choice, embeddedOnly, optionalText, optionalUrl, text } from './setting.ts';

const group = 'Data sources';

/** One setting for each data source that the portal specification names in section 3. */
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
  identityPool: embeddedOnly(
    {
      env: 'DEVICEPORTAL_IDENTITY_POOL',
      group,
      description: 'Identity pool that gives credentials for the live channel.',
    },
    'embedded',
    'a Cognito identity pool',
  ),
  userPool: embeddedOnly(
    { env: 'DEVICEPORTAL_USER_POOL', group, description: 'User pool in which people sign in.' },
    'embedded',
    'a Cognito user pool',
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
