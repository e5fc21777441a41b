import { chooseDeviceMetrics } from './choose-device-metrics.ts';
import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { refuseContradictions } from './contradictions.ts';
import {
  chooseAirBlastRole,
  chooseDeviceQueue,
  chooseMessenger,
  chooseParameterStore,
  chooseProviderSet,
  chooseTls,
} from './choose-source.ts';
import { chooseDatabase } from './database/database-sources.ts';
import { chooseBrokers } from './choose-brokers.ts';
import { isLoopback } from './is-loopback.ts';
import { readValues, type ReadValues } from './read-values.ts';
import { chooseAnalytics } from './analytics/choose-analytics.ts';
import { chooseBackups } from './choose-backups.ts';
import { chooseAudit } from './audit/choose-audit.ts';
import { chooseDataSources } from './data-sources/choose-data-sources.ts';
import { chooseFiles } from './choose-files.ts';
import { chooseMap } from './choose-map.ts';
import { chooseSystemsManager } from './choose-systems-manager.ts';
import { chooseTables } from './tables/choose-tables.ts';
import { chooseTelemetry } from './telemetry/choose-telemetry.ts';
import { chooseWebPages } from './web-pages/choose-web-pages.ts';
import { trustedProxiesOf } from './trusted-proxies.ts';

export interface ConfigSource {
  /** Arguments without the program: `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths. */
  readonly workingDir: string;
}

/**
 * Reads the command line and the environment. A flag takes precedence over its variable.
 * @throws StartError with one line that contains the flag and the variable
 */
export function readConfig(source: ConfigSource): Config {
  const { values, given } = readValues(source.argv, source.env);
  const production = source.env['NODE_ENV'] === 'production';
  const loopback = isLoopback(values.host);
  const trustsAnyCertificate = source.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  refuseContradictions({ values, given, production, loopback, trustsAnyCertificate });
  const dataDir = resolve(source.workingDir, values.dataDir);
  const chosen = chooseSystems({ values, given }, { dataDir, workingDir: source.workingDir });
  return {
    ...chosen,
    dataSources: chooseDataSources(values, chosen),
    production,
    host: values.host,
    loopback,
    port: values.port,
    publicUrl: values.publicUrl,
    dataDir,
    earlierPostgres: values.earlierPostgres && resolve(source.workingDir, values.earlierPostgres),
    backupRecipients: values.backupRecipients,
    backups: chooseBackups(values, source.workingDir),
    secrets: { place: values.secrets, region: values.region, endpoint: values.secretsEndpoint },
    secretMaxAgeDays: {
      'installation-key': values.installationKeyMaxAgeDays,
      'device-authority': values.deviceAuthorityMaxAgeDays,
      runs: values.deviceKeysMaxAgeDays,
      releases: values.deviceKeysMaxAgeDays,
      audit: values.auditKeyMaxAgeDays,
    },
    fleet: production ? 0 : values.fleet,
    agent: production ? false : values.agent,
    roles: new Set(values.roles),
    tls: chooseTls(values),
    trustedProxies: trustedProxiesOf(values.trustProxy),
    operationsToken: values.operationsToken,
    logLevel: values.logLevel,
    telemetry: chooseTelemetry(values),
    ...chooseBrokers(values),
    ...{ region: values.region, tables: chooseTables(values) },
    analytics: chooseAnalytics(values),
    ...chooseIdp(values, source.workingDir),
    identityOrigins: values.identityOrigins ?? (production ? [] : 'loopback'),
    tokenStorage: values.tokenStorage,
    ...{ deviceQueue: chooseDeviceQueue(values), systemsManager: chooseSystemsManager(values) },
    sessionDurationMinutes: values.sessionDurationMinutes,
    supportedCountries: values.supportedCountries,
    addressCountries: values.addressCountries
      ? {
          file:
            values.addressCountriesFile && resolve(source.workingDir, values.addressCountriesFile),
        }
      : null,
    map: chooseMap(values),
    signInLimits: values.signInLimits,
    tokenCheck: { groups: values.tokenGroups, graceSeconds: values.tokenGraceSeconds },
    signIn: {
      refreshTokenRotation: values.refreshTokenRotation,
      refreshTokenGraceSeconds: values.refreshTokenGraceSeconds,
      signingKeyMaxAgeDays: values.signingKeyMaxAgeDays,
      administratorPasskeys: values.administratorPasskeys,
      hideUsers: values.hideUsers ?? production,
      guests: values.guests,
      serverSideTokenCheck: values.serverSideTokenCheck,
      stepUpCodes: values.stepUpCodes,
      triggersFile: values.signInTriggers && resolve(source.workingDir, values.signInTriggers),
    },
    alertInternalHosts: values.alertInternalHosts,
    limits: values,
    deviceMetrics: chooseDeviceMetrics(values),
    retention: values,
    accessReview: {
      everyDays: values.accessReviewEveryDays,
      overdue: values.accessReviewOverdue,
    },
    audit: chooseAudit(values, source.workingDir),
    webPages: chooseWebPages({ values, production, loopback }),
  };
}

/** What answers the data sources. */
const chooseSystems = (
  { values, given }: ReadValues,
  { dataDir, workingDir }: { readonly dataDir: string; readonly workingDir: string },
) => ({
  ...chooseFiles({ values, given }, dataDir),
  database: chooseDatabase(values, workingDir),
  providerSet: chooseProviderSet(values),
  airBlastRole: chooseAirBlastRole(values),
  parameterStore: chooseParameterStore(values, dataDir),
  messenger: chooseMessenger(values),
});

function chooseIdp(values: ReadValues['values'], workingDir: string) {
  return {
    idpConnectionsFile: values.idpConnections && resolve(workingDir, values.idpConnections),
    idpSecondStep: values.idpSecondStep,
    idpFace: values.idpFace,
    idpRealName: values.idpRealName,
    idpPasswordLength: values.idpPasswordLength,
    idpRegistrationDomains: values.idpRegistrationDomains,
    idpPhotoOrigins: values.idpPhotoOrigins,
  };
}
