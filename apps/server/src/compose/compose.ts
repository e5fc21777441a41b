import { auditSignerOf } from '../audit-trail/audit-signer.ts';
import { readKeysFile } from '../audit-trail/verification/read-keys-file.ts';
import { composeBackups } from './backups/compose-backups.ts';
import { composeAirBlast } from './compose-air-blast.ts';
import { composeDataSources } from './data-sources/compose-data-sources.ts';
import { composeFindings } from './compose-findings.ts';
import { composeFleet } from './compose-fleet.ts';
import {
  composeAuthority,
  composeBroker,
  composeBrokerClaim,
  composeCatalog,
  composeGateway,
  composeSecrets,
} from './compose-gateway.ts';
import { composeHistory } from './data-sources/compose-history.ts';
import { composeIdentity, type IdentityParts } from './compose-identity.ts';
import { composeInstallation } from './compose-installation.ts';
import { composeLiveChannel } from './compose-live-channel.ts';
import { composeReports } from './compose-reports.ts';
import { composeOutsideSignIn, composeViewers } from './compose-viewers.ts';
import { composePersonalData, type PersonalDataParts } from './compose-personal-data.ts';
import { composeCounters } from './compose-counters.ts';
import { composeWeb } from './compose-web.ts';
import { composeWorker } from './compose-worker.ts';
import type { Composition } from './composition.ts';
import { ContactLog } from '../data-sources/contact-log.ts';
import { recordAwsCalls } from '../data-sources/record-aws-calls.ts';
import { identityMigrations } from './identity-migrations.ts';
import type { Config } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { BegunDatabase } from '../platform/database/embedded/begin-embedded.ts';
import type { SessionLock } from '../platform/database/connections/session-lock.ts';
import type { StartError } from '../platform/process/start-error.ts';
import { openOwnSecrets } from '../installation/open-own-secrets.ts';
import { openNamedSettings } from '../platform/parameters/named-settings.ts';
import { openParameters } from '../platform/parameters/open-parameters.ts';
import { createMetrics } from '../platform/metrics.ts';
import { openTelemetry } from '../platform/tracing/open-telemetry.ts';
import { openPlatform } from '../platform/open-platform.ts';
import type { Platform } from '../platform/platform.ts';

/** A running server. Disposing it drains connections and stops it. */
export interface RunningServer extends AsyncDisposable {
  /** URL for a browser on this machine. */
  readonly address: string;
  /** Set permanently at the first start; can differ from `address`. */
  readonly publicUrl: string;
  /** False if the server's database role can change the audit trail. */
  readonly leastPrivilege: boolean;
  /** Resolves if the server cannot continue. Its owner must then dispose it. */
  readonly failed: Promise<StartError>;
  /** Start lines for the operator: what else was started, and where. */
  readonly announcements: readonly string[];
}

/**
 * The composition root. To add a part, write `async function compose<Noun>(composition)`, which
 * registers routes on `platform.http`, jobs on `platform.jobs`, and resources on `resources`, and
 * call it in `composeParts` under the role that runs it.
 *
 * @param begun the embedded database, if it is already starting
 * @throws StartError for errors that the operator can fix
 */
export async function compose(
  config: Config,
  logger: Logger,
  print: (line: string) => void,
  begun?: BegunDatabase,
): Promise<RunningServer> {
  await using resources = new AsyncDisposableStack();
  const clock = (): Date => new Date();
  const contacts = new ContactLog(config.dataSources, clock);
  resources.use(recordAwsCalls(contacts, config.reports));
  const metrics = createMetrics();
  if (config.telemetry !== undefined) {
    // prom-client declares the names of types as numbers.
    const readMetrics = async () =>
      (await metrics.registry.getMetricsAsJSON()).map((metric) => ({
        ...metric,
        type: String(metric.type),
      }));
    resources.use(await openTelemetry({ config: config.telemetry, logger, readMetrics }));
  }
  const parameters = await openParameters(config.parameterStore);
  const { named } = resources.use(
    await openNamedSettings({ parameters, defaults: config, logger }),
  );
  const platform = await openPlatform(resources, {
    config,
    logger,
    metrics,
    migrations: identityMigrations,
    begun,
  });
  const announcements: string[] = [];
  const { promise: failed, resolve: fail } = Promise.withResolvers<StartError>();
  const secrets = await openOwnSecrets({ database: platform.database, config });
  const composition: Composition = {
    platform,
    resources,
    clock,
    contacts,
    secrets,
    parameters,
    named,
    auditSigner: auditSignerOf(
      secrets.signingKeys('audit'),
      await readKeysFile(config.audit.keysFile),
    ),
    announce: (line) => void announcements.push(line),
    print,
    fail,
    serverUrl: addressOf(platform),
  };
  const personalData = await composePersonalData(composition);
  const { gateway, claim } = await composeParts(composition, personalData);

  const jobs = platform.readiness.expect('jobs');
  await platform.jobs.start();
  jobs.up();
  const web = platform.readiness.expect('web');
  resources.defer(() => platform.http.close());
  await platform.http.listen({ host: config.host, port: platform.port });
  web.up();
  // Started last, when the server is listening for devices.
  if (config.roles.has('worker')) await composeFleet(composition);
  // Stopped first, so that disconnects caused by this server are attributed to it and not to the
  // devices.
  resources.defer(async () => {
    // The devices of a server whose place was taken are already served by the other one.
    if (claim?.isHeld !== false) await gateway?.leave().catch(() => {});
  });
  const running = resources.move();
  return {
    address: addressOf(platform),
    publicUrl: platform.publicUrl,
    failed,
    leastPrivilege: platform.leastPrivilege,
    announcements,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface ServedParts {
  readonly gateway: Gateway | undefined;
  /** Undefined unless this server serves devices with its embedded broker. */
  readonly claim: SessionLock | undefined;
}

async function composeParts(
  composition: Composition,
  personalData: PersonalDataParts,
): Promise<ServedParts> {
  const { platform } = composition;
  const { roles } = platform.config;
  await composeDataSources(composition);
  const secrets = composeSecrets(composition);
  const claim = await composeBrokerClaim(composition);
  const authority = await composeAuthority(composition);
  // The thread of the broker loads its own code.
  const [broker, identity] = await bothOrNeither(
    composeBroker(composition, authority),
    composePeopleAndCatalog(composition),
  );
  const served =
    authority && (await composeGateway(composition, { ...secrets, broker, authority }));
  await composeInstallation(composition, { broker, authority, gateway: served?.gateway });
  const viewers = identity.outside?.viewers ?? composeViewers(composition, identity.identity);
  const airBlast = await composeAirBlast(composition, {
    ...identity,
    ...secrets,
    viewers,
    dispatcher: served?.dispatcher,
  });
  const reports = composeReports(composition, { ...identity, ...secrets });
  if (roles.has('web')) {
    const history = await composeHistory(composition);
    const parts = { viewers, airBlast, reports, personalData, history };
    composeWeb(composition, { ...identity, ...secrets, ...parts });
    composeLiveChannel(composition, { ...identity, ...secrets, broker });
  }
  if (roles.has('worker')) {
    await composeWorker(composition, { ...identity, ...secrets, airBlast, personalData });
    composeFindings(composition);
    composeCounters(composition);
    await composeBackups(composition);
  }
  return { gateway: served?.gateway, claim };
}

async function composePeopleAndCatalog(composition: Composition): Promise<IdentityParts> {
  const identity = await composeIdentity(composition, composeOutsideSignIn(composition));
  await composeCatalog(composition);
  return identity;
}

/** Waits for both also if one fails, so that the resources of the other are closed. */
async function bothOrNeither<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<readonly [First, Second]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

function addressOf({ config, port }: Platform): string {
  const protocol = config.tls === undefined ? 'http' : 'https';
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = config.loopback || isEverywhere ? 'localhost' : config.host;
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
