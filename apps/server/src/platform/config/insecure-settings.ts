import type { Circumstances } from './circumstances.ts';
import { isLoopback } from './is-loopback.ts';
import { nameOf, type SettingName } from './read-values.ts';
import { settings } from './settings.ts';
import { trustedProxiesOf } from './trusted-proxies.ts';

type Refuse = (circumstances: Circumstances) => string | undefined;

/**
 * What is made for one machine and its developer, and must not be met by a customer's devices: with
 * NODE_ENV=production each stops the start with one line. A test has one row for each.
 */
const refusals: readonly Refuse[] = [
  ({ values }) =>
    values.signInLimits
      ? undefined
      : `${name('signInLimits')}=off lets codes be guessed and is refused`,
  ({ values, given }) =>
    given.has('fleet') && values.fleet > 0
      ? `${name('fleet')} makes simulated devices and is refused`
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
      : `${name('host')} ${values.host} would be reached without TLS: give ${name('tlsCertificateFile')}, or name the proxy in front of it with ${name('trustProxy')},`,
  ({ values }) =>
    values.messenger === undefined
      ? `${name('messenger')} must be chosen, for sign-in codes are not shown on a page by default,`
      : undefined,
  ({ values, loopback }) =>
    values.messenger === 'outbox' && !loopback
      ? `${name('messenger')}=outbox shows sign-in codes on this machine and needs a loopback ${name('host')}`
      : undefined,
  ...(
    [
      'authingHost',
      'authingIssuer',
      'authingKeySetUrl',
      'userPoolEndpoint',
      'identityPoolEndpoint',
    ] as const
  ).map(needsTls('https:', 'tokens and keys would travel readable')),
  needsTls('https:', 'it carries sign-in codes')('smsWebhookUrl'),
  needsTls('mqtts:', 'what devices are told could be read and changed')('mqttUrl'),
  ({ values: { smtpUrl } }) =>
    smtpUrl !== undefined && !isLocal(smtpUrl) && !isMailProtected(smtpUrl)
      ? `${name('smtpUrl')} must be smtps:// or end in ?requireTLS=true (sign-in codes and the password would travel readable)`
      : undefined,
  ({ values: { databaseOwnerUrl } }) =>
    databaseOwnerUrl !== undefined && !isLocal(databaseOwnerUrl) && isUnprotected(databaseOwnerUrl)
      ? `${name('databaseOwnerUrl')} reaches another machine without TLS: add sslmode=verify-full (or require), which is needed`
      : undefined,
  ({ values: { databaseUrl } }) =>
    databaseUrl !== undefined && !isLocal(databaseUrl) && isUnprotected(databaseUrl)
      ? `${name('databaseUrl')} reaches another machine without TLS: add sslmode=verify-full (or require), which is needed`
      : undefined,
  ({ trustsAnyCertificate }) =>
    trustsAnyCertificate
      ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 believes every certificate and is refused'
      : undefined,
];

/** @returns the line that stops the start, or undefined where all is as it must be */
export function insecureInProduction(circumstances: Circumstances): string | undefined {
  if (!circumstances.production) return undefined;
  for (const refuse of refusals) {
    const line = refuse(circumstances);
    if (line !== undefined) return `${line} with NODE_ENV=production.`;
  }
  return undefined;
}

/** A URL to another machine must have the scheme with TLS. */
function needsTls(scheme: string, otherwise: string): (setting: SettingName) => Refuse {
  return (setting) =>
    ({ values }) => {
      const url = values[setting];
      if (typeof url !== 'string' || new URL(url).protocol === scheme || isLocal(url)) {
        return undefined;
      }
      return `${name(setting)} must be ${scheme}// (${otherwise})`;
    };
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === '' || isLoopback(hostname);
}

/** TLS from the first byte, or nothing before the server has switched to it. */
function isMailProtected(url: string): boolean {
  const { protocol, searchParams } = new URL(url);
  return protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
}

/** The modes of libpq that encrypt nothing, or only if the other side likes. */
function isUnprotected(url: string): boolean {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode === null) return searchParams.get('ssl') !== 'true';
  return ['disable', 'allow', 'prefer', 'no-verify'].includes(mode);
}

function name(setting: SettingName): string {
  return nameOf(settings[setting]);
}
