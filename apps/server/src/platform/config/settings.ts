import { dataSourceSettings } from './data-source-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { choice, integer, list, onOff, optionalText, optionalUrl, text } from './setting.ts';

export const ROLES = ['web', 'gateway', 'worker', 'identity'] as const;
export type Role = (typeof ROLES)[number];

const server = 'Server';
const identity = 'Sign-in';

/** Every setting of the server, once. The reference page and the command line come from this table. */
export const settings = {
  host: text(
    {
      env: 'DEVICEPORTAL_HOST',
      flag: 'host',
      group: server,
      description: 'Address on which the portal listens.',
    },
    '127.0.0.1',
  ),
  port: integer(
    {
      env: 'DEVICEPORTAL_PORT',
      flag: 'port',
      group: server,
      description: 'Port of the portal and its API. 0 takes a free one.',
    },
    { min: 0, max: 65_535, default: 8080 },
  ),
  mqttPort: integer(
    {
      env: 'DEVICEPORTAL_MQTT_PORT',
      flag: 'mqtt-port',
      group: server,
      description: 'TLS port on which devices reach the embedded broker. 0 takes a free one.',
    },
    { min: 0, max: 65_535, default: 8883 },
  ),
  publicUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_PUBLIC_URL',
      flag: 'public-url',
      group: server,
      description:
        'URL under which people reach the portal. Frozen into token issuer and certificates at the first start. Default: `http://localhost:{port}`.',
    },
    ['http:', 'https:'],
  ),
  dataDir: text(
    {
      env: 'DEVICEPORTAL_DATA_DIR',
      flag: 'data-dir',
      group: server,
      description: 'Folder of the embedded database, keys, reports and artefacts.',
    },
    '.data',
  ),
  fleet: integer(
    {
      env: 'DEVICEPORTAL_FLEET',
      flag: 'fleet',
      group: server,
      description: 'Number of simulated devices. Always 0 in production.',
    },
    { min: 0, max: 100_000, default: 200 },
  ),
  agent: onOff(
    {
      env: 'DEVICEPORTAL_AGENT',
      bareFlag: { name: 'no-agent', value: 'off' },
      group: server,
      description:
        'Whether a real agent is started on this machine. Always off in production. `--no-agent` is `off`.',
    },
    true,
  ),
  roles: list(
    {
      env: 'DEVICEPORTAL_ROLES',
      flag: 'roles',
      group: server,
      description: 'Which parts this process runs; several processes on one database share them.',
    },
    { names: ROLES, says: `must be a list of ${ROLES.join(', ')}`, default: ROLES },
  ),
  tlsCertificateFile: optionalText({
    env: 'DEVICEPORTAL_TLS_CERTIFICATE_FILE',
    group: server,
    description: 'PEM certificate chain with which the portal speaks https itself.',
  }),
  tlsKeyFile: optionalText({
    env: 'DEVICEPORTAL_TLS_KEY_FILE',
    group: server,
    description: 'PEM key of that certificate.',
  }),
  trustProxy: onOff(
    {
      env: 'DEVICEPORTAL_TRUST_PROXY',
      group: server,
      description: 'Whether the client address is taken from `X-Forwarded-For`.',
    },
    false,
  ),
  logLevel: choice(
    { env: 'DEVICEPORTAL_LOG_LEVEL', group: server, description: 'Least severity that is logged.' },
    ['debug', 'info', 'warn', 'error', 'silent'],
    'warn',
  ),
  mqttUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_MQTT_URL',
      group: 'Broker',
      secret: true,
      description: 'An external MQTT broker in place of the embedded one.',
    },
    ['mqtt:', 'mqtts:'],
  ),
  mqttCaFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CA_FILE',
    group: 'Broker',
    description: 'PEM certificate authority of the external broker.',
  }),
  mqttCertificateFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_CERTIFICATE_FILE',
    group: 'Broker',
    description: 'PEM client certificate for the external broker.',
  }),
  mqttKeyFile: optionalText({
    env: 'DEVICEPORTAL_MQTT_KEY_FILE',
    group: 'Broker',
    description: 'PEM key of that certificate.',
  }),
  region: text(
    {
      env: 'DEVICEPORTAL_REGION',
      group: identity,
      description:
        'Deployment region. One that starts with `cn-` selects the provider set `authing`.',
    },
    'us-east-1',
  ),
  providerSet: choice(
    {
      env: 'DEVICEPORTAL_PROVIDER_SET',
      group: identity,
      description: 'Identity provider set. Default: by region.',
    },
    ['cognito', 'authing'],
    undefined,
  ),
  authingAppId: optionalText({
    env: 'DEVICEPORTAL_AUTHING_APP_ID',
    group: identity,
    description: 'App id at the external provider. Default: the embedded provider.',
  }),
  authingHost: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUTHING_HOST',
      group: identity,
      description: 'Application host of the external provider.',
    },
    ['http:', 'https:'],
  ),
  authingIssuer: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUTHING_ISSUER',
      group: identity,
      description: 'Issuer of the external provider.',
    },
    ['http:', 'https:'],
  ),
  authingKeySetUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUTHING_KEY_SET_URL',
      group: identity,
      description: 'URL of the key set of the external provider.',
    },
    ['http:', 'https:'],
  ),
  sessionDurationMinutes: integer(
    {
      env: 'DEVICEPORTAL_SESSION_DURATION_MINUTES',
      group: identity,
      description:
        'Parameter `DevicePortalSessionDurationMinutes`: life of a refresh token and absolute end of a session.',
    },
    { min: 5, max: 525_600, default: 720 },
  ),
  supportedCountries: list(
    {
      env: 'DEVICEPORTAL_SUPPORTED_COUNTRIES',
      group: identity,
      description:
        'Parameter `DevicePortalSupportedCountriesParameter`: ISO 3166-1 alpha-2 codes. Default: the countries of the simulated fleet.',
    },
    { item: /^[A-Z]{2}$/, says: 'must be a list of two-letter country codes', default: [] },
  ),
  signInLimits: onOff(
    {
      env: 'DEVICEPORTAL_SIGN_IN_LIMITS',
      group: identity,
      description:
        'Limits on sending and trying sign-in codes. `off` is for automated clients and refused in production.',
    },
    true,
  ),
  messenger: choice(
    {
      env: 'DEVICEPORTAL_MESSENGER',
      group: identity,
      description:
        'How codes reach people: `outbox` is a page on this machine, `smtp` a mail server. In production it must be chosen, and only a loopback host may choose `outbox`.',
    },
    ['outbox', 'smtp'],
    undefined,
  ),
  smtpUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_SMTP_URL',
      group: identity,
      secret: true,
      description: 'Mail server for `smtp`, as `smtps://user:password@host:465`.',
    },
    ['smtp:', 'smtps:'],
  ),
  mailFrom: optionalText({
    env: 'DEVICEPORTAL_MAIL_FROM',
    group: identity,
    description: 'Sender of mails, as `Device Portal <portal@example.com>`.',
  }),
  ...dataSourceSettings,
  ...limitSettings,
};

/** The values of all settings, after parsing and before they are checked against each other. */
export type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name]['default'];
};
