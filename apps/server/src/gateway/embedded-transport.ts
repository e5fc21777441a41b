import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MQTT_MESSAGE_LIMIT_BYTES } from '@deviceportal/contract/constants';
import { BROKER_CONNECTIONS } from '@deviceportal/contract/device-limits';
import { startBrokerThread, type BrokerThread } from './broker/broker-thread.ts';
import type { BrokerCertificates, BrokerWorkerData, FromBroker } from './broker/broker-messages.ts';
import type { CertificateAuthority } from './certificates/certificate-authority.ts';
import type { DeviceTransport, DeviceTransportHandlers } from './device-transport.ts';
import type { GatewayLogger } from './gateway-logger.ts';
import { packDown } from './broker/packed-down.ts';
import { makeSocketDirectory } from './broker/socket-directory.ts';
import type { ConnectionLimits } from './broker/socket-gate.ts';
import type { ViewerHandlers, ViewerTransport } from './viewer-transport.ts';

export interface EmbeddedBrokerOptions {
  readonly logger: GatewayLogger;
  /** The TLS port for devices; null serves viewers only. Port 0 selects a free one. */
  readonly devices: {
    readonly host: string;
    readonly port: number;
    readonly authority: Pick<CertificateAuthority, 'authorities' | 'server'>;
  } | null;
  /** Port without TLS, for measurements on this machine: usernames are trusted. */
  readonly plain?: { readonly host: string; readonly port: number };
  /** Folder of the socket over which viewers are handed over; default: a temporary folder. */
  readonly dataDir?: string;
  readonly connections?: Partial<ConnectionLimits>;
  readonly maxMessageBytes?: number;
}

/** The broker in this process: devices over TLS, viewers over the hand-over socket. */
export interface EmbeddedBroker extends AsyncDisposable {
  readonly devices: DeviceTransport;
  readonly viewers: ViewerTransport;
  readonly tlsPort: number | null;
  readonly plainPort: number | null;
  /** Applies to new connections of devices; open ones stay. */
  readonly useCertificates: (
    authority: Pick<CertificateAuthority, 'authorities' | 'server'>,
  ) => void;
  readonly countConnections: () => Promise<number>;
  /** Ends the broker's thread as a crash would, for tests. */
  readonly crash: () => Promise<void>;
}

const CREDIT_BYTES = 64 * 1024 * 1024;

/**
 * Listens immediately, but admits devices only after `devices.start`; they retry.
 * @throws Error when a port is in use
 */
export async function openEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  await using cleanup = new AsyncDisposableStack();
  const socketDir = await makeSocketDirectory(options.dataDir);
  cleanup.defer(() => rm(socketDir, { recursive: true, force: true }));
  const lines = new Lines(options.logger);
  const thread = cleanup.use(
    await startBrokerThread({
      data: workerData(options, join(socketDir, 'viewers')),
      logger: options.logger,
      onMessage: (message) => lines.receive(message),
      onLost: () => lines.lost(),
    }),
  );
  lines.thread = thread;
  const owned = cleanup.move();
  return {
    devices: deviceTransport(lines, thread),
    viewers: viewerTransport(lines, thread, join(socketDir, 'viewers')),
    tlsPort: thread.tlsPort,
    plainPort: thread.plainPort,
    useCertificates: (authority) => thread.useCertificates(certificatesOf(authority)),
    countConnections: thread.countConnections,
    crash: thread.crash,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function workerData(options: EmbeddedBrokerOptions, viewerSocket: string): BrokerWorkerData {
  const { devices } = options;
  return {
    devices: devices && {
      host: devices.host,
      port: devices.port,
      ...certificatesOf(devices.authority),
    },
    plain: options.plain ?? null,
    viewerSocket,
    connections: { ...BROKER_CONNECTIONS, ...options.connections },
    maxMessageBytes: options.maxMessageBytes ?? MQTT_MESSAGE_LIMIT_BYTES,
    creditBytes: CREDIT_BYTES,
  };
}

const certificatesOf = ({
  authorities,
  server,
}: Pick<CertificateAuthority, 'authorities' | 'server'>): BrokerCertificates => ({
  authorities,
  ...server,
});

/** Passes messages of the thread to the handlers that are currently attached. */
class Lines {
  thread: BrokerThread | undefined;
  devices: DeviceTransportHandlers | undefined;
  viewers: ViewerHandlers | undefined;
  /** Credit for bytes from a thread that has ended must not go to the next one. */
  #generation = 0;
  readonly #connections = new Set<string>();
  readonly #logger: GatewayLogger;

  constructor(logger: GatewayLogger) {
    this.#logger = logger;
  }

  lost(): void {
    this.#generation += 1;
    this.devices?.reset();
    this.viewers?.gone([...this.#connections]);
    this.#connections.clear();
  }

  receive(message: FromBroker): void {
    switch (message.kind) {
      case 'connects':
        void this.#admit(message.requests);
        return;
      case 'up':
        void this.#up(message);
        return;
      case 'refused':
        this.devices?.refused(message.refusals);
        return;
      case 'overflowed':
        this.devices?.overflowed(message.overflows);
        return;
      case 'rejected-sockets':
        this.#logger.warn(message, 'device connections rejected');
        return;
      case 'watches':
        for (const { connection } of message.messages) this.#connections.add(connection);
        this.viewers?.watched(message.messages);
        return;
      case 'viewers-gone':
        for (const connection of message.connections) this.#connections.delete(connection);
        this.viewers?.gone(message.connections);
        return;
      default:
    }
  }

  async #up(message: Extract<FromBroker, { kind: 'up' }>): Promise<void> {
    const generation = this.#generation;
    try {
      await this.devices?.up(message.messages);
    } finally {
      if (generation === this.#generation)
        this.thread?.post({ kind: 'credit', bytes: message.bytes });
    }
  }

  async #admit(requests: Extract<FromBroker, { kind: 'connects' }>['requests']): Promise<void> {
    let allowed: readonly boolean[] | undefined;
    try {
      allowed = await this.devices?.admit(requests);
    } catch {
      // No device is admitted while it cannot be checked; it will reconnect.
    }
    const answers = requests.map(
      ({ ref }, index) =>
        ({
          ref,
          admission: allowed === undefined ? 'later' : allowed[index] ? 'admitted' : 'refused',
        }) as const,
    );
    this.thread?.post({ kind: 'admitted', answers });
  }
}

function deviceTransport(lines: Lines, thread: BrokerThread): DeviceTransport {
  let outgoing: Parameters<DeviceTransport['publish']>[0][number][] = [];
  const flush = (): void => {
    thread.post(packDown(outgoing));
    outgoing = [];
  };
  return {
    ownsConnections: true,
    listeningMs: () => Number.POSITIVE_INFINITY,
    async start(handlers) {
      lines.devices = handlers;
    },
    publish(messages) {
      if (messages.length === 0) return;
      if (outgoing.length === 0) setImmediate(flush);
      outgoing.push(...messages);
    },
    disconnect: (deviceIds) => thread.post({ kind: 'disconnect', deviceIds }),
    async [Symbol.asyncDispose]() {
      lines.devices = undefined;
    },
  };
}

function viewerTransport(lines: Lines, thread: BrokerThread, socketPath: string): ViewerTransport {
  return {
    socketPath,
    attach: (handlers) => void (lines.viewers = handlers),
    publish: (messages) => thread.post({ kind: 'live', messages }),
    end: (connections) => thread.post({ kind: 'end-viewers', connections }),
  };
}
