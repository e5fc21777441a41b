import { stepUpCodeRules } from '@deviceportal/contract/step-up';
import { DEFAULT_SUPPORTED_COUNTRIES } from '@deviceportal/contract/constants';
import { accessReviewSettings } from './access-review-settings.ts';
import { auditSettings } from './audit-settings.ts';
import { auditStreamSettings } from './audit/audit-stream-settings.ts';
import { backupSettings } from './backup-settings.ts';
import { brokerSettings } from './broker-settings.ts';
import { dataSourceSettings } from './data-source-settings.ts';
import { trustedProxy } from './trusted-proxies.ts';
import { deviceKeySettings } from './device-key-settings.ts';
import { idpSettings } from './idp-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { metricSettings } from './metric-settings.ts';
import { messageSettings } from './message-settings.ts';
import { mapSettings } from './map-settings.ts';
import { telemetrySettings } from './telemetry/telemetry-settings.ts';
import { secretSettings } from './secret-settings.ts';
import { systemsManagerSettings } from './systems-manager-settings.ts';
import { webPageSettings } from './web-pages/web-page-settings.ts';
import {
  choice,
  integer,
  list,
  onOff,
  optionalText,
  optionalUrl,
  origins,
  text,
} from './setting.ts';

const ROLES = ['web', 'gateway', 'worker', 'identity'] as const;
export type Role = (typeof ROLES)[number];

const server = 'Server';
const identity = 'Sign-in';

/**
 * All settings of the server. The reference page and the command line are generated from this
 * table.
 */
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
      description: 'Port of the portal and its API. 0 selects a free one.',
    },
    { min: 0, max: 65_535, default: 8080 },
  ),
  mqttPort: integer(
    {
      env: 'DEVICEPORTAL_MQTT_PORT',
      flag: 'mqtt-port',
      group: server,
      description: 'TLS port of the embedded broker for devices. 0 selects a free one.',
    },
    { min: 0, max: 65_535, default: 8883 },
  ),
  publicUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_PUBLIC_URL',
      flag: 'public-url',
      group: server,
      description:
        'Public URL of the portal. Set permanently in the token issuer and certificates at the first start. Default: `http://localhost:{port}`.',
    },
    ['http:', 'https:'],
  ),
  dataDir: text(
    {
      env: 'DEVICEPORTAL_DATA_DIR',
      flag: 'data-dir',
      group: server,
      description: 'Folder of the embedded database, keys, reports, and files.',
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
      description: 'Roles of this process. Several processes on one database can divide them.',
    },
    { names: ROLES, says: `must be a list of ${ROLES.join(', ')}`, default: ROLES },
  ),
  tlsCertificateFile: optionalText({
    env: 'DEVICEPORTAL_TLS_CERTIFICATE_FILE',
    group: server,
    description: 'PEM certificate chain for serving https directly.',
  }),
  tlsKeyFile: optionalText({
    env: 'DEVICEPORTAL_TLS_KEY_FILE',
    group: server,
    description: 'PEM key of that certificate.',
  }),
  trustProxy: list(
    {
      env: 'DEVICEPORTAL_TRUST_PROXY',
      group: server,
      description:
        'Addresses or networks of the proxies in front of the portal, for example `10.0.0.5,10.1.0.0/16`. `loopback` or `on` is this machine. The client address is read from `X-Forwarded-For` only for these proxies. Default: `off`.',
    },
    {
      item: trustedProxy,
      says: 'must be a list of addresses, networks (10.0.0.0/8) or "loopback"',
      default: [],
    },
  ),
  operationsToken: optionalText(
    {
      env: 'DEVICEPORTAL_OPERATIONS_TOKEN',
      group: server,
      secret: true,
      description:
        'Bearer token for access to `/readyz` and `/metrics` from other machines. Default: access only from this machine.',
    },
    { test: /^[\w.~+/=-]{16,256}$/, says: 'must have 16 to 256 letters, digits or ._~+/=-' },
  ),
  logLevel: choice(
    { env: 'DEVICEPORTAL_LOG_LEVEL', group: server, description: 'Minimum log level.' },
    ['debug', 'info', 'warn', 'error', 'silent'],
    'warn',
  ),
  ...backupSettings,
  ...brokerSettings,
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
    description: 'App ID at the external provider. Default: the embedded provider.',
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
  ...idpSettings,
  identityOrigins: origins({
    env: 'DEVICEPORTAL_IDENTITY_ORIGINS',
    group: identity,
    description:
      'Comma-separated origins of other websites whose pages can sign users in at the user pool in `/identity`, for example `https://shop.example`, or `none`. Default: origins on this machine, and none in production.',
  }),
  tokenStorage: choice(
    {
      env: 'DEVICEPORTAL_TOKEN_STORAGE',
      group: identity,
      description:
        'Where browsers keep the tokens of a session: `local` storage, or `cookie`s that last one year.',
    },
    ['local', 'cookie'],
    'local',
  ),
  sessionDurationMinutes: integer(
    {
      env: 'DEVICEPORTAL_SESSION_DURATION_MINUTES',
      group: identity,
      description:
        'Lifetime of a refresh token and maximum duration of a session. The parameter `DevicePortalSessionDurationMinutes` in the parameter store takes precedence.',
    },
    { min: 1, max: 525_600, default: 720 },
  ),
  supportedCountries: list(
    {
      env: 'DEVICEPORTAL_SUPPORTED_COUNTRIES',
      group: identity,
      description:
        'ISO 3166-1 alpha-2 codes. A device located in another country has a finding, and AirBlast excludes it. The parameter `DevicePortalSupportedCountriesParameter` in the parameter store takes precedence. Default: the countries of the simulated fleet.',
    },
    {
      item: /^[A-Z]{2}$/,
      says: 'must be a list of two-letter country codes',
      default: DEFAULT_SUPPORTED_COUNTRIES,
    },
  ),
  signInLimits: onOff(
    {
      env: 'DEVICEPORTAL_SIGN_IN_LIMITS',
      group: identity,
      description:
        'Rate limits on sending and entering sign-in codes, and delays after repeated rejections of one address. `off` is for automated clients and is not allowed in production.',
    },
    true,
  ),
  tokenGroups: list(
    {
      env: 'DEVICEPORTAL_TOKEN_GROUPS',
      group: identity,
      description:
        'Groups of the user pool (role codes of the external provider): only their members are admitted. Default: all users who can sign in.',
    },
    {
      item: /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u,
      says: 'must be a list of groups',
      default: [],
    },
  ),
  tokenGraceSeconds: integer(
    {
      env: 'DEVICEPORTAL_TOKEN_GRACE_SECONDS',
      group: identity,
      description:
        'Maximum clock difference between the issuer and this server when token times are checked.',
    },
    { min: 0, max: 300, default: 0 },
  ),
  refreshTokenRotation: onOff(
    {
      env: 'DEVICEPORTAL_REFRESH_TOKEN_ROTATION',
      group: identity,
      description:
        'Whether every renewal of a session issues a new refresh token. Reuse of an old one after the grace time ends the session, because the token was copied.',
    },
    false,
  ),
  refreshTokenGraceSeconds: integer(
    {
      env: 'DEVICEPORTAL_REFRESH_TOKEN_GRACE_SECONDS',
      group: identity,
      description:
        'With rotation: how long the previous refresh token remains valid, for tabs that renew at the same time.',
    },
    { min: 0, max: 60, default: 30 },
  ),
  signingKeyMaxAgeDays: integer(
    {
      env: 'DEVICEPORTAL_SIGNING_KEY_MAX_AGE_DAYS',
      group: identity,
      description:
        'Age in days at which the keys that sign tokens are rotated. Users stay signed in.',
    },
    { min: 1, max: 3_650, default: 90 },
  ),
  hideUsers: onOff(
    {
      env: 'DEVICEPORTAL_HIDE_USERS',
      group: identity,
      description:
        'Whether sign-in hides which accounts exist: unknown users are also asked for a code. Default: on in production. Otherwise off, so that typos are reported immediately.',
    },
    undefined,
  ),
  administratorPasskeys: onOff(
    {
      env: 'DEVICEPORTAL_ADMINISTRATOR_PASSKEYS',
      group: identity,
      description:
        'Whether administrators must add a passkey before they can use the portal. Requires an https public URL with a host name, or `localhost`.',
    },
    false,
  ),
  guests: onOff(
    {
      env: 'DEVICEPORTAL_GUESTS',
      group: identity,
      description:
        'Whether the embedded identity pool issues identities to browsers before sign-in. Their credentials grant no access. If off, requests without sign-in are rejected.',
    },
    true,
  ),
  serverSideTokenCheck: onOff(
    {
      env: 'DEVICEPORTAL_SERVER_SIDE_TOKEN_CHECK',
      group: identity,
      description:
        'Whether the embedded identity pool checks that the sign-in of a token is still active and its user is enabled (ServerSideTokenCheck). If off, such a token still gets credentials until it expires, but they grant no access.',
    },
    true,
  ),
  stepUpCodes: choice(
    {
      env: 'DEVICEPORTAL_STEP_UP_CODES',
      group: identity,
      description:
        'Whether a code by email or text message confirms sensitive actions (step-up): `fallback` for users without a passkey or an authenticator app, `always`, or `never`. With an external provider, only to addresses that its ID token states as verified.',
    },
    stepUpCodeRules,
    'fallback',
  ),
  signInTriggers: optionalText({
    env: 'DEVICEPORTAL_SIGN_IN_TRIGGERS',
    group: identity,
    description:
      'JavaScript module with custom challenge triggers that replace the one-time code. It exports any of `defineAuthChallenge`, `createAuthChallenge`, and `verifyAuthChallengeResponse`.',
  }),
  ...messageSettings,
  ...auditSettings,
  ...auditStreamSettings,
  ...dataSourceSettings,
  ...deviceKeySettings,
  ...limitSettings,
  ...metricSettings,
  ...accessReviewSettings,
  ...secretSettings,
  ...webPageSettings,
  ...systemsManagerSettings,
  ...mapSettings,
  ...telemetrySettings,
};

/** Values of all settings, parsed but not yet checked for contradictions. */
export type SettingValues = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name]['default'];
};
