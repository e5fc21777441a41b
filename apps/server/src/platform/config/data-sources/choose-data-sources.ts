import { dataSources, type AnsweringSystem } from '@deviceportal/contract/data-sources';
import type { Config, DatabaseConfig, FilesConfig, MessengerConfig } from '../config.ts';
import { settings, type SettingValues } from '../settings.ts';

type Chosen = Pick<
  Config,
  'database' | 'reports' | 'providerSet' | 'parameterStore' | 'airBlastRole' | 'messenger'
>;
/** Null for a part of this installation, empty for a source that is not used. */
type Systems = Readonly<Record<(typeof dataSources)[number], readonly AnsweringSystem[] | null>>;

/** What answers each data source, for administrators: no passwords, tokens, or paths of webhooks. */
export function chooseDataSources(values: SettingValues, chosen: Chosen): Config['dataSources'] {
  const systems: Systems = {
    ...tableSystems(values),
    database: databaseSystems(chosen.database),
    analytics: elsewhere('analyticsWorkgroup', 'Amazon Athena', values),
    'audit-trail-queue': elsewhere('auditTrailQueue', 'Amazon SQS', values),
    'report-location': reportSystems(chosen.reports),
    ...poolSystems(chosen.providerSet),
    'iot-policy': elsewhere('iotPolicy', 'AWS IoT Core', values),
    parameters:
      chosen.parameterStore.kind === 'file'
        ? null
        : [{ product: 'AWS Systems Manager Parameter Store', name: chosen.parameterStore.region }],
    'air-blast-role':
      chosen.airBlastRole === undefined
        ? null
        : [{ product: 'AWS Security Token Service', name: chosen.airBlastRole.arn }],
    messages: messageSystems(chosen.messenger),
  };
  return dataSources.map((source) => ({
    source,
    setting: settings[settingOf[source]].env,
    place: (systems[source]?.length ?? 0) > 0 ? 'outside' : 'embedded',
    isUsed: systems[source]?.length !== 0,
    systems: systems[source] ?? [],
  }));
}

const settingOf = {
  database: 'databaseUrl',
  'software-versions': 'softwareVersionTable',
  'device-versions': 'deviceVersionTable',
  geolocations: 'geolocationTable',
  analytics: 'analyticsWorkgroup',
  'audit-trail-queue': 'auditTrailQueue',
  'report-location': 'reportLocation',
  'user-pool': 'userPool',
  'identity-pool': 'identityPool',
  'iot-policy': 'iotPolicy',
  parameters: 'parameterStore',
  'air-blast-role': 'airBlastRole',
  messages: 'messenger',
} as const satisfies Record<(typeof dataSources)[number], keyof typeof settings>;

/** A setting whose default is the embedded part, and whose other values are names outside. */
function elsewhere(
  setting:
    | 'analyticsWorkgroup'
    | 'auditTrailQueue'
    | 'deviceVersionTable'
    | 'geolocationTable'
    | 'iotPolicy'
    | 'softwareVersionTable',
  product: string,
  values: SettingValues,
): readonly AnsweringSystem[] | null {
  const name: string = values[setting];
  return name === settings[setting].default ? null : [{ product, name }];
}

const tableSystems = (values: SettingValues) => ({
  'software-versions': elsewhere('softwareVersionTable', 'Amazon DynamoDB', values),
  'device-versions': elsewhere('deviceVersionTable', 'Amazon DynamoDB', values),
  geolocations: elsewhere('geolocationTable', 'Amazon DynamoDB', values),
});

function databaseSystems(database: DatabaseConfig): readonly AnsweringSystem[] | null {
  const postgres = (name: string): AnsweringSystem => ({ product: 'PostgreSQL', name });
  if (database.kind === 'embedded') return null;
  if (database.kind === 'url') {
    const { host, pathname, searchParams } = new URL(database.url);
    return [postgres(`${host || (searchParams.get('host') ?? '')}${pathname}`)];
  }
  const { host, port, name } = database.server;
  const at = postgres(`${host}:${port}/${name}`);
  return database.kind === 'iam'
    ? [at]
    : [at, { product: 'AWS Secrets Manager', name: database.secretId }];
}

const reportSystems = (reports: FilesConfig): readonly AnsweringSystem[] | null =>
  reports.kind === 'directory'
    ? null
    : [{ product: 'Amazon S3', name: `s3://${[reports.bucket, ...reports.prefix].join('/')}` }];

function poolSystems(
  provider: Config['providerSet'],
): Pick<Systems, 'user-pool' | 'identity-pool'> {
  if (provider.source === 'embedded') {
    return { 'user-pool': null, 'identity-pool': provider.kind === 'cognito' ? null : [] };
  }
  if (provider.kind === 'authing') {
    const product = 'OpenID Connect';
    return { 'user-pool': [{ product, name: provider.issuer }], 'identity-pool': [] };
  }
  const { userPoolId, identityPool } = provider;
  return {
    'user-pool': [{ product: 'Amazon Cognito', name: userPoolId }],
    'identity-pool':
      identityPool === undefined ? [] : [{ product: 'Amazon Cognito', name: identityPool.id }],
  };
}

function messageSystems(messenger: MessengerConfig): readonly AnsweringSystem[] | null {
  if (messenger.kind === 'outbox') return null;
  const { email, sms } = messenger;
  const mail =
    email.kind === 'ses'
      ? { product: 'Amazon SES', name: email.region }
      : { product: 'SMTP', name: new URL(email.url).host };
  if (sms === undefined) return [mail];
  return [
    mail,
    sms.kind === 'sns'
      ? { product: 'Amazon SNS', name: sms.region }
      : { product: 'Webhook', name: new URL(sms.url).origin },
  ];
}
