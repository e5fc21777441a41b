import { resolve } from 'node:path';
import type { Config, ProviderSetConfig, MessengerConfig, SmsConfig } from './config.ts';
import { isLoopback } from './is-loopback.ts';
import type { SettingValues } from './settings.ts';

/** Data sources selected by the validated settings. Contradictions have already been rejected. */

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
        : {
            ...{ id, region: regionOf(id), endpoint: values.identityPoolEndpoint },
            accountId: values.identityPoolAccountId,
          },
  };
}

/** The region, which is the prefix of a pool ID. */
const regionOf = (poolId: string): string => poolId.split(/[_:]/, 1)[0] ?? '';

export function chooseAirBlastRole(values: SettingValues): Config['airBlastRole'] {
  const { airBlastRole: arn, region, stsEndpoint: endpoint } = values;
  return arn === undefined ? undefined : { arn, region, endpoint };
}

export function chooseParameterStore(
  values: SettingValues,
  dataDir: string,
): Config['parameterStore'] {
  const { parameterStore: kind, region, parameterEndpoint: endpoint } = values;
  return kind === 'ssm'
    ? { kind, region, endpoint }
    : { kind, path: resolve(dataDir, values.parameterFile) };
}

export function chooseDeviceQueue({
  auditTrailQueue: url,
  region,
}: SettingValues): Config['deviceQueue'] {
  return url === 'mqtt' ? undefined : { url, region: regionOfQueue(url) ?? region };
}

/** Undefined for a queue that is not at an endpoint of AWS. */
export const regionOfQueue = (url: string): string | undefined =>
  /^sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(new URL(url).hostname)?.[1];

export function chooseTls(values: SettingValues): Config['tls'] {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = values;
  return certificateFile && keyFile ? { certificateFile, keyFile } : undefined;
}

/** What the messenger needs is set: contradictions have already been rejected. */
export function chooseMessenger(values: SettingValues): MessengerConfig {
  const { messenger, region, mailFrom: from, smtpUrl: url } = values;
  if (messenger === 'ses' && from !== undefined) {
    const email = { kind: 'ses', from, region, endpoint: values.sesEndpoint } as const;
    return { kind: 'delivery', email, sms: chooseSms(values) };
  }
  if (messenger !== 'smtp' || url === undefined || from === undefined) return { kind: 'outbox' };
  const allowClear = values.smtpStartTls === 'optional' || isLoopback(new URL(url).hostname);
  return {
    kind: 'delivery',
    email: { kind: 'smtp', from, url, allowClear },
    sms: chooseSms(values),
  };
}

function chooseSms(values: SettingValues): SmsConfig | undefined {
  const { smsGateway, region, smsSenderId: senderId, snsEndpoint: endpoint } = values;
  if (smsGateway === 'sns') return { kind: 'sns', region, endpoint, senderId };
  const { smsWebhookUrl: url, smsWebhookSecret: secret } = values;
  return url && secret ? { kind: 'webhook', url, secret } : undefined;
}
