import { recordAudit } from '../audit-trail/record-audit.ts';
import { markUnknown } from '../devices/data/apply-connectivity.ts';
import { inTransaction } from '../platform/database/database.ts';
import { repeat as repeatWork } from '../platform/process/repeat.ts';
import type { ConnectionReport } from './iot/connection-report.ts';
import { ConnectionIngest } from './iot/ingest-connections.ts';
import { TrafficPresence } from './iot/traffic-presence.ts';
import { KeyAnnouncer } from './certificates/announce-changed-keys.ts';
import { admitDevices } from './admit-devices.ts';
import { announceAuthorities } from './certificates/announce-authorities.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { HeartbeatIngest } from './ingest-heartbeats.ts';
import { MetricIngest } from './ingest-metrics.ts';
import { JournalIngest } from './journal/ingest-journal.ts';
import { auditOf, changesOf, StatusIngest } from './ingest-status.ts';
import { OverflowRecorder } from './record-overflow.ts';
import { RefusalRecorder } from './record-refusals.ts';
import { CertificateRenewal } from './certificates/renew-certificates.ts';
import { PresenceSweep } from './sweep-presence.ts';
import { MessageIntake } from './message-intake.ts';
import { QueueConsumer, type DeviceQueue, type QueueTakers } from './queue/queue-consumer.ts';

export interface GatewayOptions extends GatewayDependencies {
  /** Called with the devices that have just connected, so that queued commands can be sent. */
  readonly onConnected: (deviceIds: readonly string[]) => void;
  /**
   * Another way by which journals arrive, and with `carriesEverything` also the other messages of devices and events of
   * their connections.
   */
  readonly queue?: (DeviceQueue & { readonly carriesEverything?: boolean }) | undefined;
  /** Creates what takes the messages of terminals. */
  readonly terminals?: CreateTaker;
  /** Creates what takes answers about files. */
  readonly files?: CreateTaker;
  /** Creates what takes the messages of web pages. */
  readonly webPages?: CreateTaker;
  readonly sweepIntervalMs?: number;
  readonly keyIntervalMs?: number;
  readonly heartbeatWaitMs?: number;
  readonly gapPatienceMs?: number;
  readonly overflowWindowMs?: number;
}

/** What takes the messages of a part of the server that refuses broken ones. */
type CreateTaker = (refuse: (deviceId: string, detail: string) => void) => {
  readonly take: (message: Pick<UpMessage, 'deviceId' | 'payload'>) => Promise<void>;
};

/** Everything between the transport and the database. */
export interface Gateway extends AsyncDisposable {
  /**
   * Call before the server stops, while everything still works: connections of this process become unknown, not
   * offline, regardless of the messages at their end. Reports are still processed.
   */
  readonly leave: () => Promise<void>;
  /** Notifies connected devices that the authorities have changed. */
  readonly announceAuthorities: () => Promise<void>;
}

const SWEEP_INTERVAL_MS = 15_000;
/** With an external broker, the end of a connection may be noticed only here. */
const EXTERNAL_SWEEP_INTERVAL_MS = 5_000;
const KEY_INTERVAL_MS = 10_000;

/** Serves devices as soon as it returns. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  await using resources = new AsyncDisposableStack();
  const { transport, changes, logger } = options;
  const refusals = resources.use(new RefusalRecorder(options));
  const overflow = resources.use(new OverflowRecorder(options, windowOptions(options)));
  const recorders = { refusals, overflow };
  const queue = options.queue && resources.use(new QueueConsumer(options.queue, options));
  const journal = resources.use(new JournalIngest(options, recorders, gapOptions(options)));
  const status = resources.use(new StatusIngest(options, recorders, options.onConnected));
  const heartbeats = resources.use(
    new HeartbeatIngest(options, recorders, {
      onHeard: options.onConnected,
      ...waitOptions(options),
    }),
  );
  const metrics = resources.use(new MetricIngest(options, recorders));
  const connections = resources.use(new ConnectionIngest(options, refusals));
  const traffic = resources.use(new TrafficPresence(options, options.onConnected));
  const renewal = new CertificateRenewal(options, recorders);
  const takers = {
    journal: (message) => journal.take(message),
    status: (message) => status.take(message),
    // A heartbeat is held for a second to fill its batch; it must not use up a sender's credit for so long.
    heartbeat: (message) => void heartbeats.take(message),
    renew: (message) => renewal.take(message),
    // Held to fill a batch, like heartbeats.
    metrics: (message) => void metrics.take(message),
    ...serviceTakers(options, refusals),
  } satisfies Record<UpMessage['channel'], (message: UpMessage) => Promise<unknown> | void>;

  const intake = new MessageIntake({
    take: (message) => takers[message.channel](message),
    onError({ deviceId, channel }, error) {
      logger.error({ err: error, deviceId, channel }, 'message of a device not processed');
      refusals.record({ deviceId, reason: 'broken-payload', detail: `${channel}: not processed` });
    },
    ...{ overflow, isThrottled: transport.ownsConnections },
  });
  await forgetConnections(options);
  resources.use(
    changes.subscribe((change) => {
      if (change.kind === 'devices-blocked') transport.disconnect(change.deviceIds);
      if (change.kind === 'devices-resumed') transport.settleCertificates?.(change.deviceIds);
    }),
  );
  resources.defer(() => transport[Symbol.asyncDispose]());
  await transport.start({
    up: (messages) => intake.take(messages),
    admit: (requests) => admitDevices(options, refusals, requests),
    refused: (list) => list.forEach((refusal) => refusals.record(refusal)),
    overflowed: (list) =>
      list.forEach(({ deviceId, kind, count }) => overflow.note(deviceId, kind, count)),
    reset: () =>
      // A birth that is being stored belongs to one of the connections that ended, and must not be applied last.
      void status
        .settled()
        .then(() => forgetConnections(options))
        .catch((error: unknown) => logger.warn({ err: error }, 'connection reset failed')),
  });
  if (queue !== undefined) {
    queue.start(takersOf(options, { journal, heartbeats, connections, intake, traffic }));
    resources.defer(() => queue.stop());
  }
  const sweep = new PresenceSweep(options);
  resources.use(repeat(() => sweep.round(), options));
  const announcer = new KeyAnnouncer(options);
  resources.use(
    repeatWork(() => announcer.round(), {
      everyMs: options.keyIntervalMs ?? KEY_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'key announcement failed'),
    }),
  );
  const owned = resources.move();
  return {
    async leave() {
      if (!transport.ownsConnections) return;
      await status.leave();
      await forgetConnections(options);
    },
    announceAuthorities: () => announceAuthorities(options, options.authority),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What takes the messages of what users reach on devices. */
const serviceTakers = (options: GatewayOptions, refusals: RefusalRecorder) => ({
  terminal: takerOf('terminal', options.terminals, refusals),
  files: takerOf('files', options.files, refusals),
  'web-page': takerOf('web-page', options.webPages, refusals),
});

function takerOf(
  channel: UpMessage['channel'],
  create: CreateTaker | undefined,
  refusals: RefusalRecorder,
): (message: UpMessage) => Promise<void> | void {
  const taker = create?.((deviceId, detail) =>
    refusals.record({ deviceId, reason: 'broken-payload', detail: `${channel}: ${detail}` }),
  );
  return (message) => taker?.take(message);
}

function takersOf(
  { queue }: Pick<GatewayOptions, 'queue'>,
  parts: {
    readonly journal: JournalIngest;
    readonly heartbeats: HeartbeatIngest;
    readonly connections: ConnectionIngest;
    readonly intake: MessageIntake;
    readonly traffic: TrafficPresence;
  },
): QueueTakers {
  const { journal, heartbeats, connections, intake, traffic } = parts;
  const carriesEverything = queue?.carriesEverything === true;
  const others = {
    // A heartbeat stays in the queue until it is written, because the next one may come much later. Metrics do not, because
    // they are sent again until they are acknowledged, and results of commands would wait behind them.
    up: (message: UpMessage) =>
      message.channel === 'heartbeat' ? heartbeats.take(message) : intake.take([message]),
    connection: (report: ConnectionReport) => connections.take(report),
  };
  return {
    async journal(message) {
      const outcome = await journal.take(message);
      if (carriesEverything && outcome === 'committed') traffic.note(message);
      return outcome;
    },
    others: carriesEverything ? others : undefined,
  };
}

/** Receivers of a queue wait for each heartbeat. */
const QUEUED_HEARTBEAT_WAIT_MS = 100;

function waitOptions({ heartbeatWaitMs, queue }: GatewayOptions): { waitMs?: number } {
  const waitMs = heartbeatWaitMs ?? (queue?.carriesEverything && QUEUED_HEARTBEAT_WAIT_MS);
  return typeof waitMs === 'number' ? { waitMs } : {};
}

const gapOptions = ({ gapPatienceMs }: GatewayOptions): { gapPatienceMs?: number } =>
  gapPatienceMs === undefined ? {} : { gapPatienceMs };

const windowOptions = ({ overflowWindowMs }: GatewayOptions): { windowMs?: number } =>
  overflowWindowMs === undefined ? {} : { windowMs: overflowWindowMs };

/** Connections that ended with this process or with the broker's thread: unknown until the device sends something. */
async function forgetConnections(options: GatewayOptions): Promise<void> {
  if (!options.transport.ownsConnections) return;
  const changed = await inTransaction(options.database, async (tx) => {
    const unknown = await markUnknown(tx, options.clock());
    await recordAudit(tx, unknown.flatMap(auditOf));
    return unknown;
  });
  options.changes.publish(changesOf(changed));
}

function repeat(
  work: () => Promise<void>,
  {
    logger,
    transport,
    sweepIntervalMs,
  }: Pick<GatewayOptions, 'logger' | 'sweepIntervalMs' | 'transport'>,
): Disposable {
  const everyMs = transport.ownsConnections ? SWEEP_INTERVAL_MS : EXTERNAL_SWEEP_INTERVAL_MS;
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await work();
    } catch (error) {
      logger.warn({ err: error }, 'presence sweep failed');
    } finally {
      running = false;
    }
  }, sweepIntervalMs ?? everyMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
