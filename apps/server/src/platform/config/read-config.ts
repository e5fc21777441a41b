import { resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import type { Config } from './config.ts';
import { refuseContradictions } from './contradictions.ts';
import {
  chooseBroker,
  chooseDatabase,
  chooseMessenger,
  chooseProviderSet,
  chooseTls,
} from './choose-source.ts';
import { readValues } from './read-values.ts';

export interface ConfigSource {
  /** Without the program: `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative folders start here. */
  readonly workingDir: string;
}

/**
 * The only reader of the command line and the environment; a flag wins over its variable.
 * @throws StartError one line that names the flag and the variable
 */
export function readConfig(source: ConfigSource): Config {
  const { values, given } = readValues(source.argv, source.env);
  const production = source.env['NODE_ENV'] === 'production';
  const loopback = isLoopback(values.host);
  refuseContradictions({ values, given, production, loopback });
  if (URL.canParse(values.reportLocation)) {
    throw new StartError(
      'DEVICEPORTAL_REPORT_LOCATION names an object store, for which this release has no adapter yet; name a folder.',
    );
  }
  const dataDir = resolve(source.workingDir, values.dataDir);
  return {
    production,
    host: values.host,
    loopback,
    port: values.port,
    publicUrl: values.publicUrl,
    dataDir,
    reportDir: resolve(dataDir, values.reportLocation),
    fleet: production ? 0 : values.fleet,
    agent: production ? false : values.agent,
    roles: new Set(values.roles),
    tls: chooseTls(values),
    trustProxy: values.trustProxy,
    logLevel: values.logLevel,
    database: chooseDatabase(values),
    broker: chooseBroker(values),
    region: values.region,
    providerSet: chooseProviderSet(values),
    sessionDurationMinutes: values.sessionDurationMinutes,
    supportedCountries: values.supportedCountries,
    signInLimits: values.signInLimits,
    messenger: chooseMessenger(values),
    limits: values,
    retention: values,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
