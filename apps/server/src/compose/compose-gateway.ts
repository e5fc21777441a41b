import { loadBuiltinCommands, builtinConsequences } from '../commands/catalog/builtin-commands.ts';
import { createDispatcher, type Dispatcher } from '../commands/execution/dispatcher.ts';
import type { RunSigning } from '../commands/signing/run-signing.ts';
import { TargetTrees } from '../commands/signing/target-trees.ts';
import {
  createParameterVault,
  type ParameterVault,
} from '../commands/parameters/parameter-vault.ts';
import { signArtifactUpload } from '../commands/artifacts/sign-artifact-url.ts';
import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import type { Composition } from './composition.ts';
import { composeSystemsManager } from './data-sources/compose-systems-manager.ts';
import { loadBuiltinDocuments } from '../documents/load-builtin-documents.ts';
import type {
  CertificateAuthority,
  RotatingCertificateAuthority,
} from '../gateway/certificates/certificate-authority.ts';
import { claimEmbeddedBroker } from '../gateway/claim-embedded-broker.ts';
import { brokerHosts } from '../gateway/broker/broker-hosts.ts';
import type { DeviceTransport } from '../gateway/device-transport.ts';
import { openEmbeddedBroker, type EmbeddedBroker } from '../gateway/embedded-transport.ts';
import { addEnrollmentRoute } from '../gateway/enrollment-route.ts';
import { openExternalTransport } from '../gateway/external-transport.ts';
import { openNatsTransport } from '../gateway/nats/nats-transport.ts';
import { createDeviceMetrics } from '../gateway/device-metrics.ts';
import type { GatewayMeter } from '../gateway/gateway-dependencies.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { describeConnection } from '../gateway/connection-settings.ts';
import type { DeviceQueue } from '../gateway/queue/queue-consumer.ts';
import { openOwnAuthority } from '../installation/open-own-authority.ts';
import { timeReceiving, type TimedQueue } from '../gateway/queue/receiving-time.ts';
import { openIot, type IotParts } from './iot/open-iot.ts';
import { loadAws } from '../platform/aws/load-aws.ts';
import type { Config } from '../platform/config/config.ts';
import {
  openCountryDatabase,
  type CountryDatabase,
} from '../locations/by-address/country-database.ts';
import type { SessionLock } from '../platform/database/connections/session-lock.ts';
import type { ParameterPort } from '../platform/parameters/parameter-port.ts';
import { repeat } from '../platform/process/repeat.ts';
import { StartError } from '../platform/process/start-error.ts';
import { createUrlSigner, type UrlSigner } from '../platform/files/url-signer.ts';
import { findSoftwareFiles } from '../versions/software-files/find-software-files.ts';
import { RefusedLinks } from '../audit-trail/refused-links.ts';
import { signSoftwareDownload } from '../versions/software-files/sign-software-url.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import { serveDeviceFiles } from './device-files/serve-device-files.ts';
import { serveTerminals } from './terminals/serve-terminals.ts';
import { TerminalSender } from '../terminals/terminal-lines.ts';
import { WebPageSender } from '../web-pages/web-page-lines.ts';
import { serveWebPages } from './web-pages/serve-web-pages.ts';

export interface SharedSecrets {
  readonly vault: ParameterVault;
  /** Source of `{{ssm:name}}`. */
  readonly parameters: ParameterPort;
  readonly signer: UrlSigner;
  readonly signing: RunSigning;
  readonly terminalLines: TerminalSender;
  readonly webPageLines: WebPageSender;
}

export function composeSecrets(composition: Composition): SharedSecrets {
  const { secrets, clock, platform, resources } = composition;
  const { database, logger } = platform;
  const refusedLinks = resources.use(new RefusedLinks({ database, logger, clock }));
  return {
    vault: createParameterVault(secrets.keysFor(keyPurposes.parameters)),
    parameters: composition.parameters,
    signer: createUrlSigner(secrets.keysFor(keyPurposes.links), clock, (purpose) =>
      refusedLinks.note(purpose),
    ),
    terminalLines: resources.use(new TerminalSender(platform.changes)),
    webPageLines: resources.use(new WebPageSender(platform.changes)),
    signing: {
      keys: secrets.signingKeys('runs'),
      trees: new TargetTrees(),
      findSoftware: (wanted) => findSoftwareFiles({ database }, wanted),
    },
  };
}

/** The documents and commands of this release. */
export async function composeCatalog({ platform, clock }: Composition): Promise<void> {
  const { database } = platform;
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
}

/** Only one server of a database serves devices with its embedded broker. */
export async function composeBrokerClaim({
  platform: { config, database, logger },
  resources,
  fail,
}: Composition): Promise<SessionLock | undefined> {
  if (!config.roles.has('gateway') || config.broker.kind !== 'embedded') return undefined;
  return resources.use(await claimEmbeddedBroker({ database, logger, onLost: fail }));
}

/**
 * The embedded broker: always for viewers, and for devices unless an external broker is configured.
 */
export async function composeBroker(
  composition: Composition,
  authority: CertificateAuthority | undefined,
): Promise<EmbeddedBroker> {
  const { platform, resources } = composition;
  const { config, logger } = platform;
  const serves = config.roles.has('gateway') && config.broker.kind === 'embedded';
  const part = platform.readiness.expect('broker');
  const broker = resources.use(
    await openEmbeddedBroker({
      logger,
      dataDir: config.dataDir,
      maxMessageBytes: config.limits.mqttMessageLimitBytes,
      connections: { perAddress: config.limits.mqttConnectionsPerAddress },
      devices:
        serves && config.broker.kind === 'embedded' && authority !== undefined
          ? { host: config.host, port: config.broker.port, authority }
          : null,
    }).catch((error: unknown) => {
      throw asStartError(error, config);
    }),
  );
  part.up();
  return broker;
}

function asStartError(error: unknown, { broker }: Config): unknown {
  const taken = error instanceof Error && error.message.includes('EADDRINUSE');
  if (!taken || broker.kind !== 'embedded') return error;
  return new StartError(
    `Device port ${broker.port} is already in use. Choose another one with --mqtt-port (DEVICEPORTAL_MQTT_PORT).`,
    { cause: error },
  );
}

/** Device gateway, dispatcher, and enrollment. */
export async function composeGateway(
  composition: Composition,
  parts: SharedSecrets & {
    readonly broker: EmbeddedBroker;
    readonly authority: CertificateAuthority;
  },
): Promise<{ readonly gateway: Gateway; readonly dispatcher: Dispatcher }> {
  const { platform, resources, clock, secrets } = composition;
  const { database, changes, logger, publicUrl, http } = platform;
  const part = platform.readiness.expect('gateway');
  const { vault, signer, signing, broker, authority } = parts;
  const queue = await openDeviceQueue(composition);
  const meter = createDeviceMetrics(platform.metrics);
  const iot = await openIotParts(platform, { queue, meter });
  const transport = iot?.transport ?? (await openTransport(composition, broker));
  const connection = connectionOf(composition, { broker, iot });
  const countries = openCountries(platform.config);
  const systemsManager = await composeSystemsManager(composition, parts);
  const dispatcher = resources.use(
    createDispatcher({
      otherEngine: systemsManager?.engine,
      database,
      changes,
      transport,
      logger,
      vault,
      signing,
      artefactUploadUrl: (invocationId, validUntil) =>
        signArtifactUpload(signer, {
          baseUrl: publicUrl,
          invocationId,
          validSeconds: (validUntil.getTime() - clock().getTime()) / 1_000,
        }),
      software: {
        find: (wanted) => findSoftwareFiles({ database }, wanted),
        sign: ({ storageKey, name }, deviceId, validUntil) =>
          signSoftwareDownload(signer, {
            storageKey,
            name,
            deviceId,
            validSeconds: (validUntil.getTime() - clock().getTime()) / 1_000,
          }),
      },
    }),
  );
  const deviceKeys = {
    runs: secrets.signingKeys('runs'),
    releases: secrets.signingKeys('releases'),
  };
  const gateway = resources.use(
    await createGateway({
      ...serveUsersOfDevices(composition, { ...parts, transport }),
      ...{ database, changes, transport },
      authority,
      logger,
      deviceKeys,
      connection,
      clock,
      countries,
      queue: queue && { ...queue, carriesEverything: iot !== undefined },
      ...{ meter, registry: iot?.registry, ...metricRules(platform.config) },
      onConnected: (deviceIds) => dispatcher.devicesConnected(deviceIds),
    }),
  );
  systemsManager?.start((deviceIds) => dispatcher.devicesConnected(deviceIds));
  addEnrollmentRoute(http, {
    database,
    changes,
    clock,
    authority,
    deviceKeys,
    registry: iot?.registry,
    countries,
    addressKeys: secrets.keysFor(keyPurposes.addresses),
    connection,
  });
  part.up();
  return { gateway, dispatcher };
}

/** What users reach on devices: terminals, files, and web pages. */
const serveUsersOfDevices = (
  composition: Composition,
  parts: Pick<SharedSecrets, 'terminalLines' | 'webPageLines'> & {
    readonly transport: DeviceTransport;
  },
) => ({
  terminals: serveTerminals(parts.terminalLines, { ...composition.platform, ...parts }),
  files: serveDeviceFiles(composition, parts.transport),
  webPages: serveWebPages(composition, parts),
});

const metricRules = ({ retention }: Config) => ({ metricSampleDays: retention.metricSampleDays });

async function openTransport(
  { platform }: Composition,
  broker: EmbeddedBroker,
): Promise<DeviceTransport> {
  const { config, logger } = platform;
  if (config.broker.kind === 'embedded' || config.broker.kind === 'iot') return broker.devices;
  const options = {
    ...{ clientId: `deviceportal-gateway-${process.pid}`, logger },
    maxMessageBytes: config.limits.mqttMessageLimitBytes,
  };
  const [setting, opening] =
    config.broker.kind === 'nats'
      ? ['DEVICEPORTAL_NATS_URL', openNatsTransport({ ...config.broker, ...options })]
      : ['DEVICEPORTAL_MQTT_URL', openExternalTransport({ ...config.broker, ...options })];
  return opening.catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new StartError(`Cannot connect to ${setting}: ${reason}`, { cause: error });
  });
}

/** Undefined unless devices connect to AWS IoT Core. */
async function openIotParts(
  platform: Composition['platform'],
  { queue, meter }: { readonly queue: OpenedQueue | undefined; readonly meter: GatewayMeter },
): Promise<IotParts | undefined> {
  const { broker } = platform.config;
  if (broker.kind !== 'iot' || queue === undefined) return undefined;
  return openIot(platform, { broker, meter, listeningMs: queue.listeningMs });
}

type OpenedQueue = DeviceQueue & TimedQueue;

/** Each count is a call that costs. */
const QUEUE_COUNT_INTERVAL_MS = 60_000;

/** @throws StartError if the queue cannot be reached */
async function openDeviceQueue({
  platform: { config, logger },
  contacts,
  resources,
}: Composition): Promise<OpenedQueue | undefined> {
  if (config.deviceQueue === undefined) return undefined;
  const setting = 'DEVICEPORTAL_AUDIT_TRAIL_QUEUE';
  const { createSqsQueue } = await loadAws('sqs-queue', setting);
  const messages = createSqsQueue({
    ...config.deviceQueue,
    endpoint: new URL(config.deviceQueue.url).origin,
  });
  const { hasDeadLetters, waiting } = await messages.describe().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new StartError(`Cannot read ${setting}: ${reason}`, { cause: error });
  });
  if (!hasDeadLetters) {
    logger.warn(
      `${setting} has no dead-letter queue: a message that no device can have sent is delivered again until it expires.`,
    );
  }
  const source = 'audit-trail-queue';
  contacts.waiting(source, waiting);
  const count = async (): Promise<void> =>
    contacts.waiting(source, (await messages.describe()).waiting);
  // The consumer warns about an unavailable queue.
  resources.use(repeat(count, { everyMs: QUEUE_COUNT_INTERVAL_MS, onError: () => {} }));
  return {
    ...timeReceiving(messages),
    maxMessageBytes: config.limits.mqttMessageLimitBytes,
    onAge: (ageMs) => contacts.delayed(source, ageMs),
  };
}

/** The address of a proxy is the proxy's location, not the device's. */
function openCountries({ addressCountries, trustedProxies }: Config): CountryDatabase | undefined {
  if (addressCountries === null) return undefined;
  return openCountryDatabase({ ...addressCountries, proxies: trustedProxies });
}

/** The certificate authority of device certificates, on servers that serve devices. */
export async function composeAuthority({
  platform,
  secrets,
  clock,
}: Composition): Promise<RotatingCertificateAuthority | undefined> {
  if (!platform.config.roles.has('gateway')) return undefined;
  const hosts = brokerHosts(platform.config, platform.publicUrl);
  return openOwnAuthority({ database: platform.database, secrets, clock }, hosts);
}

/** What devices are told: the configured brokers, AWS IoT Core, or the embedded one at the portal's own host. */
function connectionOf(
  { platform }: Composition,
  { broker, iot }: { readonly broker: EmbeddedBroker; readonly iot: IotParts | undefined },
): ConnectionMessage {
  const { config, publicUrl } = platform;
  const { brokerUrls, subscriptionQos, heartbeatSeconds, selfCheckSeconds } =
    config.deviceConnection;
  const port = broker.tlsPort ?? (config.broker.kind === 'embedded' ? config.broker.port : 0);
  const own = iot?.brokerUrl ?? `mqtts://${new URL(publicUrl).hostname}:${port}`;
  return describeConnection({
    brokerUrls: [...(brokerUrls ?? [own])],
    ...{ subscriptionQos, heartbeatSeconds },
    ...(selfCheckSeconds !== undefined && { selfCheckSeconds }),
    ...(iot && { brokerAuthorities: iot.brokerAuthorities }),
    ...(config.deviceMetrics && { metrics: config.deviceMetrics }),
  });
}
