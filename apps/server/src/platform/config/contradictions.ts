import { StartError } from '../process/start-error.ts';
import { refusePortalDomain } from './web-pages/choose-web-pages.ts';
import { refuseDatabase } from './database/database-sources.ts';
import { insecureInProduction } from './insecure-settings.ts';
import { nameOf, type SettingName } from './read-values.ts';
import { settings } from './settings.ts';
import type { Circumstances } from './circumstances.ts';
import { readS3Location } from './file-location.ts';
import { UPLOAD_PART_BYTES } from '../files/file-store.ts';

/** A rule returns the error line that stops the start, or undefined. */
type Rule = (circumstances: Circumstances) => string | undefined;

const runCommandSettings = [
  ...(['runCommandTags', 'runCommandQueue'] as const),
  ...(['runCommandOutput', 'runCommandEndpoint'] as const),
] as const;
const tables = ['softwareVersionTable', 'deviceVersionTable', 'geolocationTable'] as const;

const rules: readonly Rule[] = [
  refuseDatabase,
  ({ given }) =>
    given.has('mqttUrls') && given.has('mqttPort')
      ? `${name('mqttPort')} is for the embedded broker, but ${name('mqttUrls')} sets an external one. Set only one of them.`
      : undefined,
  ...iot(),
  needsEither('mqttCaFile', 'mqttUrls', 'natsUrls'),
  needs('mqttNodes', 'mqttUrls'),
  nats,
  ({ values: { mqttDeviceUrls } }) =>
    mqttDeviceUrls?.some((url) => new URL(url).username !== '')
      ? `${name('mqttDeviceUrls')} contains a username. Devices identify themselves by their certificate.`
      : undefined,
  needs('auditAnchorSyslogCaFile', 'auditAnchorSyslog'),
  needs('auditAnchorS3Endpoint', 'auditAnchorS3'),
  needs('auditStreamSyslogCaFile', 'auditStreamSyslog'),
  needs('auditStreamFormat', 'auditStreamUrl'),
  needs('auditStreamAuthorization', 'auditStreamUrl'),
  needs('auditStreamSigningSecret', 'auditStreamUrl'),
  needs('stsEndpoint', 'airBlastRole'),
  ({ values, given }) => {
    const setting = runCommandSettings.find((one) => given.has(one));
    return setting !== undefined && values.runCommand === 'off'
      ? `${name(setting)} is set, but ${name('runCommand')} is not "ssm".`
      : undefined;
  },
  needs('auditAnchorTsa', 'auditAnchorTsaCaFile'),
  needs('webPagesOrigin', 'webPagesPort'),
  refusePortalDomain,
  needs('analyticsTable', 'analyticsWorkgroup'),
  needs('analyticsEndpoint', 'analyticsWorkgroup'),
  ({ values }) =>
    values.analyticsWorkgroup !== 'database' && readS3Location(values.files) === undefined
      ? `${name('analyticsWorkgroup')} is an Athena workgroup, which reads files in S3, but ${name('files')} is not an s3:// location.`
      : undefined,
  needs('backupLocation', 'backupRecipients'),
  backupsInS3,
  ({ values, given }) =>
    given.has('tableEndpoint') && tables.every((table) => values[table] === 'database')
      ? `${name('tableEndpoint')} is set, but no table is (${tables.map(name).join(', ')}).`
      : undefined,
  ...(['auditAnchorSyslog', 'auditStreamSyslog'] as const).map(
    (setting): Rule =>
      ({ values: { [setting]: url } }) =>
        url !== undefined && new URL(url).hostname === ''
          ? `${name(setting)} does not contain a host.`
          : undefined,
  ),
  needsEither('mqttCertificateFile', 'mqttUrls', 'natsUrls'),
  together('mqttCertificateFile', 'mqttKeyFile'),
  together('tlsCertificateFile', 'tlsKeyFile'),
  ({ values, given }) =>
    given.has('port') && given.has('mqttPort') && values.port === values.mqttPort && values.port > 0
      ? `${name('port')} and ${name('mqttPort')} are both ${values.port}. They must be different.`
      : undefined,
  providerSet,
  ...hostedPools(),
  mail,
  filesInS3,
  together('smsWebhookUrl', 'smsWebhookSecret'),
  together('authingAppId', 'authingHost', 'authingIssuer', 'authingKeySetUrl'),
  ({ values }) =>
    /^[a-z]{2}(-[a-z]+)+-\d$/.test(values.region)
      ? undefined
      : `${name('region')} must be a region such as us-east-1 (it is "${values.region}").`,
  ({ values }) =>
    values.auditTrailColdDays < values.auditTrailHotDays
      ? `${name('auditTrailColdDays')} is shorter than ${name('auditTrailHotDays')}.`
      : undefined,
  insecureInProduction,
];

/** @throws StartError with the first contradiction */
export function refuseContradictions(circumstances: Circumstances): void {
  for (const rule of rules) {
    const line = rule(circumstances);
    if (line !== undefined) throw new StartError(line);
  }
}

/** With AWS IoT Core, there is no other broker, and messages of devices arrive by the queue. */
function iot(): Rule[] {
  const hasIot = ({ values }: Circumstances): boolean => values.iotPolicy !== 'embedded';
  return [
    (circumstances) =>
      hasIot(circumstances) && circumstances.values.auditTrailQueue === 'mqtt'
        ? `${name('iotPolicy')} is set, but ${name('auditTrailQueue')}, by which messages of devices arrive, is missing.`
        : undefined,
    ...(['mqttUrls', 'natsUrls', 'mqttPort'] as const).map(
      (setting): Rule =>
        (circumstances) =>
          hasIot(circumstances) && circumstances.given.has(setting)
            ? `${name(setting)} is for another broker, but ${name('iotPolicy')} selects AWS IoT Core. Set only one of them.`
            : undefined,
    ),
    ...(['iotEndpoint', 'iotDataEndpoint', 'iotCaFile'] as const).map(
      (setting): Rule =>
        (circumstances) =>
          circumstances.given.has(setting) && !hasIot(circumstances)
            ? `${name(setting)} is set, but ${name('iotPolicy')} is missing.`
            : undefined,
    ),
  ];
}

function providerSet({ values, given }: Circumstances): string | undefined {
  const isChina = values.region.startsWith('cn-');
  const chosen = values.providerSet ?? (isChina ? 'authing' : 'cognito');
  if (isChina && chosen === 'cognito') {
    return `${name('providerSet')} is "cognito", but ${name('region')} ${values.region} needs "authing".`;
  }
  const authing = (
    ['authingAppId', 'authingHost', 'authingIssuer', 'authingKeySetUrl'] as const
  ).find((setting) => given.has(setting));
  if (chosen === 'cognito' && authing !== undefined) {
    return `${name(authing)} is for the provider set "authing", but ${name('region')} ${values.region} selects "cognito".`;
  }
  return undefined;
}

/**
 * A hosted pool consists of an ID and an app client. Their settings are not allowed with the
 * embedded pool.
 */
function hostedPools(): Rule[] {
  const isHosted = ({ values }: Circumstances): boolean => values.userPool !== 'embedded';
  const onlyHosted = (['userPoolClientId', 'userPoolEndpoint', 'identityPool'] as const).map(
    (setting): Rule =>
      (circumstances) =>
        circumstances.values[setting] !== settings[setting].default && !isHosted(circumstances)
          ? `${name(setting)} belongs to a hosted user pool, but ${name('userPool')} is "embedded".`
          : undefined,
  );
  return [
    ...onlyHosted,
    (circumstances) =>
      isHosted(circumstances) && circumstances.values.userPoolClientId === undefined
        ? `${name('userPool')} is a hosted user pool, but ${name('userPoolClientId')} is missing.`
        : undefined,
    ...(['identityPoolEndpoint', 'identityPoolAccountId'] as const).map(
      (setting): Rule =>
        ({ values }) =>
          values[setting] !== undefined && values.identityPool === 'embedded'
            ? `${name(setting)} belongs to a hosted identity pool, but ${name('identityPool')} is "embedded".`
            : undefined,
    ),
    ({ values }) =>
      values.userPool !== 'embedded' &&
      (values.providerSet === 'authing' || values.region.startsWith('cn-'))
        ? `${name('userPool')} is a hosted user pool, but the provider set is "authing".`
        : undefined,
  ];
}

function nats(circumstances: Circumstances): string | undefined {
  const { values, given } = circumstances;
  const other = (['mqttUrls', 'mqttPort'] as const).find((setting) => given.has(setting));
  if (!given.has('natsUrls')) return needs('natsIssuerFile', 'natsUrls')(circumstances);
  if (other !== undefined) {
    return `${name('natsUrls')} and ${name(other)} are both set. Devices connect to only one of them.`;
  }
  if (values.mqttSubscriptionQos === 1) {
    return `${name('mqttSubscriptionQos')} is 1, but NATS needs 0: with 1, it keeps a queue for each device.`;
  }
  return (['natsIssuerFile', 'mqttDeviceUrls'] as const)
    .map((setting) => needs('natsUrls', setting)(circumstances))
    .find((line) => line !== undefined);
}

const NEEDED_BY_MESSENGER: Readonly<Record<'outbox' | 'smtp' | 'ses', readonly SettingName[]>> = {
  outbox: [],
  smtp: ['smtpUrl', 'mailFrom'],
  ses: ['mailFrom'],
};

function mail({ values, given }: Circumstances): string | undefined {
  const { messenger = 'outbox', smsGateway } = values;
  const missing = NEEDED_BY_MESSENGER[messenger].find((setting) => !given.has(setting));
  if (missing !== undefined) {
    return `${name('messenger')} is "${messenger}", but ${name(missing)} is missing.`;
  }
  const only = [
    ['smtpUrl', 'messenger', 'smtp'],
    ['sesEndpoint', 'messenger', 'ses'],
    ['smsSenderId', 'smsGateway', 'sns'],
    ['snsEndpoint', 'smsGateway', 'sns'],
    ['smsWebhookUrl', 'smsGateway', 'webhook'],
  ] as const;
  const foreign = only.find(
    ([setting, choice, use]) => given.has(setting) && values[choice] !== use,
  );
  if (foreign !== undefined) {
    const [setting, choice, use] = foreign;
    return `${name(setting)} is set, but ${name(choice)} is not "${use}".`;
  }
  const sms = (['smsWebhookUrl', 'smsGateway'] as const).find((setting) => given.has(setting));
  if (messenger === 'outbox' && sms !== undefined) {
    return `${name(sms)} is set, but ${name('messenger')} is not "smtp" or "ses".`;
  }
  if (given.has('smsGateway') && smsGateway === 'webhook' && !given.has('smsWebhookUrl')) {
    return `${name('smsGateway')} is "webhook", but ${name('smsWebhookUrl')} is missing.`;
  }
  return undefined;
}

/** Parts of an upload to S3 (Amazon S3 User Guide, multipart upload limits). */
const S3_UPLOAD_BYTES = 10_000 * UPLOAD_PART_BYTES;

function filesInS3({ values, given }: Circumstances): string | undefined {
  const isS3 = readS3Location(values.files) !== undefined;
  if (given.has('filesEndpoint') && !isS3 && readS3Location(values.reportLocation) === undefined) {
    return `${name('filesEndpoint')} is set, but neither ${name('files')} nor ${name('reportLocation')} is an s3:// location.`;
  }
  return isS3 && values.softwareArtifactLimitBytes > S3_UPLOAD_BYTES
    ? `${name('softwareArtifactLimitBytes')} is more than ${S3_UPLOAD_BYTES}, the largest upload to ${name('files')}.`
    : undefined;
}

function backupsInS3({
  values: { backupLocation = '' },
  given,
}: Circumstances): string | undefined {
  if (readS3Location(backupLocation) !== undefined) return undefined;
  const own = (['backupEndpoint', 'backupRegion'] as const).find((each) => given.has(each));
  return own && `${name(own)} is set, but ${name('backupLocation')} is not an s3:// location.`;
}

function together(...names: readonly SettingName[]): Rule {
  return ({ given }) => {
    const present = names.find((setting) => given.has(setting));
    const missing = names.find((setting) => !given.has(setting));
    return present !== undefined && missing !== undefined
      ? `${name(present)} is set, but ${name(missing)} is missing. Set both.`
      : undefined;
  };
}

function needs(dependent: SettingName, needed: SettingName): Rule {
  return ({ given }) =>
    given.has(dependent) && !given.has(needed)
      ? `${name(dependent)} is set, but ${name(needed)} is missing.`
      : undefined;
}

function needsEither(dependent: SettingName, ...needed: readonly SettingName[]): Rule {
  return ({ given }) =>
    given.has(dependent) && !needed.some((setting) => given.has(setting))
      ? `${name(dependent)} is set, but ${needed.map(name).join(' or ')} is missing.`
      : undefined;
}

function name(setting: SettingName): string {
  return nameOf(settings[setting]);
}
