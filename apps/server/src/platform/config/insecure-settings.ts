import type { Circumstances } from './circumstances.ts';
import { isUnverified } from './database/database-sources.ts';
import { isLoopback } from './is-loopback.ts';
import { nameOf, type SettingName } from './read-values.ts';
import { settings } from './settings.ts';
import { trustedProxiesOf } from './trusted-proxies.ts';

type Refuse = (circumstances: Circumstances) => string | undefined;

/**
 * Development defaults that are unsafe for real devices. With NODE_ENV=production, each stops the
 * start with one line. A test has one row for each.
 */
const refusals: readonly Refuse[] = [
  ({ values }) =>
    values.signInLimits
      ? undefined
      : `${name('signInLimits')}=off allows sign-in codes to be guessed and is not allowed`,
  ({ values, given }) =>
    given.has('fleet') && values.fleet > 0
      ? `${name('fleet')} creates simulated devices and is not allowed`
      : undefined,
  ({ values }) =>
    values.publicUrl?.startsWith('https:')
      ? undefined
      : `${name('publicUrl')} must be an https URL`,
  ({ values, loopback }) =>
    loopback ||
    values.tlsCertificateFile !== undefined ||
    trustedProxiesOf(values.trustProxy).length > 0
      ? undefined
      : `${name('host')} ${values.host} would be reachable without TLS: set ${name('tlsCertificateFile')}, or the proxy in front of it with ${name('trustProxy')},`,
  ({ values }) =>
    values.messenger === undefined
      ? `${name('messenger')} must be set, because sign-in codes are not shown on a page by default,`
      : undefined,
  ({ values, loopback }) =>
    values.messenger === 'outbox' && !loopback
      ? `${name('messenger')}=outbox shows sign-in codes on this machine and requires a loopback ${name('host')}`
      : undefined,
  ...(
    [
      'authingHost',
      'authingIssuer',
      'authingKeySetUrl',
      'userPoolEndpoint',
      'identityPoolEndpoint',
      'stsEndpoint',
      'databaseSecretEndpoint',
    ] as const
  ).map(needsTls('https:', 'tokens and keys would be sent unencrypted')),
  ...(
    [
      ...(['auditAnchorS3Endpoint', 'runCommandEndpoint', 'backupEndpoint'] as const),
      ...(['iotEndpoint', 'iotDataEndpoint'] as const),
    ] as const
  ).map(needsTls('https:', 'keys of AWS would be sent unencrypted')),
  needsTls('https:', 'secrets of the installation would be sent unencrypted')('secretsEndpoint'),
  ({ values: { webPagesOrigin = 'https://' } }) =>
    webPagesOrigin.startsWith('https:')
      ? undefined
      : `${name('webPagesOrigin')} must be https:// (pages of devices would be sent unencrypted)`,
  needsTls('https:', 'archived events would be sent unencrypted')('analyticsEndpoint'),
  needsTls('https:', 'audit events would be sent unencrypted')('auditStreamUrl'),
  needsTls('tls:', 'audit events would be sent unencrypted')('auditStreamSyslog'),
  ...(['smsWebhookUrl', 'sesEndpoint', 'snsEndpoint'] as const).map(
    needsTls('https:', 'it transfers sign-in codes'),
  ),
  ({ values: { identityOrigins = [] } }) =>
    identityOrigins.every((origin) => origin.startsWith('https:') || isLocal(origin))
      ? undefined
      : `${name('identityOrigins')} must be https:// (pages that others can change would sign users in)`,
  ...(['mqttUrls', 'mqttDeviceUrls'] as const).map(
    needsTls('mqtts:', 'commands to devices could be read and changed'),
  ),
  needsTls('tls:', 'commands to devices could be read and changed')('natsUrls'),
  needsTls('https:', 'anyone on the network could write events of devices')('auditTrailQueue'),
  ({ values: { smtpUrl } }) =>
    smtpUrl !== undefined && !isLocal(smtpUrl) && !isMailProtected(smtpUrl)
      ? `${name('smtpUrl')} must be smtps:// or end in ?requireTLS=true (sign-in codes and the password would be sent unencrypted)`
      : undefined,
  ...(['databaseOwnerUrl', 'databaseUrl'] as const).map(
    (setting): Refuse =>
      ({ values, given }) => {
        const url = values[setting];
        return url !== undefined && !isLocal(url) && isUnverified(url, given.has('databaseCaFile'))
          ? `${name(setting)} connects to another machine without verified TLS: add sslmode=verify-full, which is required`
          : undefined;
      },
  ),
  ({ trustsAnyCertificate }) =>
    trustsAnyCertificate
      ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate and is not allowed'
      : undefined,
];

/** @returns the error line that stops the start; undefined if there is none */
export function insecureInProduction(circumstances: Circumstances): string | undefined {
  if (!circumstances.production) return undefined;
  for (const refuse of refusals) {
    const line = refuse(circumstances);
    if (line !== undefined) return `${line} with NODE_ENV=production.`;
  }
  return undefined;
}

/** A URL to another machine must use the scheme with TLS. */
function needsTls(scheme: string, otherwise: string): (setting: SettingName) => Refuse {
  return (setting) =>
    ({ values }) => {
      const urls = [values[setting]].flat().filter((url) => typeof url === 'string');
      const isUnsafe = urls.some(
        (url) => URL.canParse(url) && new URL(url).protocol !== scheme && !isLocal(url),
      );
      return isUnsafe ? `${name(setting)} must be ${scheme}// (${otherwise})` : undefined;
    };
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === '' || isLoopback(hostname);
}

/** TLS from the first byte, or a required upgrade to TLS. */
function isMailProtected(url: string): boolean {
  const { protocol, searchParams } = new URL(url);
  return protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
}

function name(setting: SettingName): string {
  return nameOf(settings[setting]);
}
