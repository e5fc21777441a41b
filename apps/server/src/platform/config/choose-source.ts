import type {
  BrokerConfig,
  Config,
  DatabaseConfig,
  ProviderSetConfig,
  MessengerConfig,
} from './config.ts';
import { isLoopback } from './is-loopback.ts';
import type { SettingValues } from './settings.ts';

/** Data sources selected by the validated settings. Contradictions have already been rejected. */

export function chooseDatabase(values: SettingValues): DatabaseConfig {
  return values.databaseUrl === undefined
    ? { kind: 'embedded' }
    : {
        kind: 'external',
        url: values.databaseUrl,
        ...(values.databaseOwnerUrl && { ownerUrl: values.databaseOwnerUrl }),
      };
}

export function chooseBroker(values: SettingValues): BrokerConfig {
  if (values.mqttUrl === undefined) return { kind: 'embedded', port: values.mqttPort };
  return {
    kind: 'external',
    url: values.mqttUrl,
    caFile: values.mqttCaFile,
    certificateFile: values.mqttCertificateFile,
    keyFile: values.mqttKeyFile,
  };
}

export function chooseProviderSet(values: SettingValues): ProviderSetConfig {
  const fallback = values.region.startsWith('cn-') ? 'authing' : 'cognito';
  if ((values.providerSet ?? fallback) === 'cognito') return chooseUserPool(values);
  const { authingAppId: appId, authingHost: host, authingIssuer: issuer } = values;
  const keySetUrl = values.authingKeySetUrl;
  if (!appId || !host || !issuer || !keySetUrl) return { kind: 'authing', source: 'embedded' };
  return { kind: 'authing', source: 'external', appId, host, issuer, keySetUrl };
}

function chooseUserPool(values: SettingValues): ProviderSetConfig {
  const { userPool: userPoolId, userPoolClientId, userPoolEndpoint, identityPool: id } = values;
  if (userPoolId === 'embedded' || userPoolClientId === undefined)
    return { kind: 'cognito', source: 'embedded' };
  return {
    kind: 'cognito',
    source: 'hosted',
    region: regionOf(userPoolId),
    userPoolId,
    userPoolClientId,
    userPoolEndpoint,
    identityPool:
      id === 'embedded'
        ? undefined
        : { id, region: regionOf(id), endpoint: values.identityPoolEndpoint },
  };
}

/** The region, which is the prefix of a pool ID. */
const regionOf = (poolId: string): string => poolId.split(/[_:]/, 1)[0] ?? '';

export function chooseTls(values: SettingValues): Config['tls'] {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = values;
  return certificateFile && keyFile ? { certificateFile, keyFile } : undefined;
}

/** With `smtp`, both of its settings are set; contradictions have already been rejected. */
export function chooseMessenger(values: SettingValues): MessengerConfig {
  const { messenger, smtpUrl, mailFrom, smsWebhookUrl, smsWebhookSecret } = values;
  if (messenger !== 'smtp' || smtpUrl === undefined || mailFrom === undefined)
    return { kind: 'outbox' };
  return {
    kind: 'smtp',
    url: smtpUrl,
    from: mailFrom,
    allowClear: values.smtpStartTls === 'optional' || isLoopback(new URL(smtpUrl).hostname),
    smsWebhook:
      smsWebhookUrl && smsWebhookSecret
        ? { url: smsWebhookUrl, secret: smsWebhookSecret }
        : undefined,
  };
}
