import { readFile } from 'node:fs/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection, Status } from '@nats-io/transport-node';
import type { DeviceTransport, DeviceTransportHandlers, UpMessage } from '../device-transport.ts';
import type { GatewayLogger } from '../gateway-logger.ts';
import { wholePayload } from '../broker/whole-payload.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { BrokerFaultLog } from '../broker-fault-log.ts';
import { AdmissionDesk } from './admission-desk.ts';
import { endConnections } from './end-connections.ts';
import { consumeMessages } from './message-stream.ts';
import { readSeed, type NatsSigner } from './nats-keys.ts';
import { downSubject, parseUpSubject, upSubject } from './nats-subjects.ts';

export interface NatsTransportOptions {
  /** `tls://host:4222`, of one cluster; at least one. */
  readonly urls: readonly string[];
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Contains the seed of the issuer, with whose public key NATS checks answers about devices. */
  readonly issuerFile: string;
  /** Shown in the monitoring of NATS. */
  readonly clientId: string;
  readonly logger: GatewayLogger;
  readonly maxMessageBytes: number;
}

const QUEUE = 'deviceportal';
const BATCH_MS = 2;
const CONNECT_LIMIT_MS = 10_000;
const RECONNECT_MS = 1_000;
/** A node that hangs is left after two unanswered pings. */
const PING_MS = 8_000;
const AUTHORIZATION_SUBJECT = '$SYS.REQ.USER.AUTH';

/**
 * Devices behind a cluster of NATS servers, to which they speak MQTT (docs/guides/device-transport.md). NATS asks here
 * whether a device may connect, and stores what devices publish with QoS 1 until it is acknowledged here.
 *
 * @throws Error when no server is reached; StartError when the issuer cannot be read
 */
export async function openNatsTransport(options: NatsTransportOptions): Promise<DeviceTransport> {
  const signer = await readIssuer(options.issuerFile);
  const { connect } = await import('@nats-io/transport-node');
  const connection = await connect(await connectionOptions(options));
  return new NatsTransport(connection, signer, options);
}

interface Taken {
  readonly message: UpMessage;
  /** Absent if NATS has not stored the message. */
  readonly stored?: Pick<JsMsg, 'ack' | 'nak'>;
}

class NatsTransport implements DeviceTransport {
  readonly ownsConnections = false;
  readonly #connection: NatsConnection;
  readonly #options: NatsTransportOptions;
  readonly #desk: AdmissionDesk;
  readonly #faults: BrokerFaultLog;
  #handlers: DeviceTransportHandlers | undefined;
  #listeningSinceMs: number | undefined;
  #messages: ConsumerMessages | undefined;
  #gathered: Taken[] = [];
  readonly #unprocessed = new Set<Taken>();

  constructor(connection: NatsConnection, signer: NatsSigner, options: NatsTransportOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#faults = new BrokerFaultLog(options.logger);
    this.#desk = new AdmissionDesk({
      signer,
      logger: options.logger,
      maxMessageBytes: options.maxMessageBytes,
      handlers: () => this.#handlers,
    });
    void this.#follow(connection.status());
  }

  listeningMs(): number {
    return this.#listeningSinceMs === undefined ? 0 : performance.now() - this.#listeningSinceMs;
  }

  async start(handlers: DeviceTransportHandlers): Promise<void> {
    this.#handlers = handlers;
    const connection = this.#connection;
    this.#messages = await consumeMessages(connection, (subject, message) =>
      this.#take(subject, message.data, message),
    ).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'no answer';
      throw new StartError(`NATS stores no messages: ${reason}`, { cause: error });
    });
    for (const channel of ['heartbeat', 'metrics', 'terminal', 'files', 'web-page'] as const)
      connection.subscribe(upSubject('*', channel), {
        queue: QUEUE,
        callback: (_error, message) => this.#take(message.subject, message.data),
      });
    // Last: no device is admitted before its messages are received.
    connection.subscribe(AUTHORIZATION_SUBJECT, {
      queue: QUEUE,
      callback: (_error, message) =>
        void this.#desk.answer(message.string()).then((answer) => {
          if (answer !== undefined) message.respond(answer);
        }),
    });
    await connection.flush();
    this.#listeningSinceMs = performance.now();
  }

  publish(messages: Parameters<DeviceTransport['publish']>[0]): void {
    if (this.#listeningSinceMs === undefined) return;
    for (const message of messages) {
      this.#connection.publish(
        downSubject(message.deviceId, message.channel),
        wholePayload(message),
      );
    }
  }

  disconnect(deviceIds: readonly string[]): void {
    if (this.#listeningSinceMs === undefined) return;
    void endConnections(this.#connection, deviceIds).catch((error: unknown) =>
      this.#options.logger.warn({ err: error }, 'devices could not be disconnected'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#handlers = undefined;
    // Before, so that they are not delivered here.
    await this.#messages?.close();
    for (const { stored } of this.#unprocessed) stored?.nak();
    this.#unprocessed.clear();
    await this.#connection.flush().catch(() => {});
    await this.#connection.close();
    await this.#desk[Symbol.asyncDispose]();
  }

  #take(subject: string, payload: Uint8Array, stored?: Taken['stored']): void {
    const address = parseUpSubject(subject);
    const { maxMessageBytes } = this.#options;
    if (!this.#handlers) return;
    if (!address) return stored?.ack();
    if (payload.byteLength > maxMessageBytes) {
      this.#handlers.refused([{ deviceId: address.deviceId, reason: 'message-too-large' }]);
      return stored?.ack();
    }
    if (this.#gathered.length === 0) setTimeout(() => this.#flush(), BATCH_MS);
    const taken = { message: { ...address, payload }, ...(stored && { stored }) };
    this.#unprocessed.add(taken);
    this.#gathered.push(taken);
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    for (const taken of gathered) void this.#process(taken);
  }

  /** What this gateway has not processed is delivered again, to any gateway. */
  async #process(taken: Taken): Promise<void> {
    if (!this.#handlers) return;
    try {
      await this.#handlers.up([taken.message]);
      if (this.#unprocessed.delete(taken)) taken.stored?.ack();
    } catch (error) {
      this.#unprocessed.delete(taken);
      this.#options.logger.error({ err: error }, 'message of a device not processed');
    }
  }

  async #follow(statuses: AsyncIterable<Status>): Promise<void> {
    for await (const status of statuses) {
      if (status.type === 'disconnect') {
        this.#listeningSinceMs = undefined;
        this.#faults.note(new Error('connection lost'), status.server);
      } else if (status.type === 'reconnect') {
        if (this.#handlers) this.#listeningSinceMs = performance.now();
        this.#faults.end(status.server);
      } else if (status.type === 'error') {
        this.#options.logger.warn({ err: status.error }, 'NATS reported a fault');
      }
    }
  }
}

/** @throws StartError if the file does not contain the seed of an account */
async function readIssuer(file: string): Promise<NatsSigner> {
  try {
    return readSeed((await readFile(file, 'utf8')).trim(), 'account');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not readable';
    throw new StartError(`DEVICEPORTAL_NATS_ISSUER_FILE ${file}: ${reason}`, { cause: error });
  }
}

async function connectionOptions(options: NatsTransportOptions): Promise<ConnectionOptions> {
  const [ca, cert, key] = await Promise.all(
    [options.caFile, options.certificateFile, options.keyFile].map((path) =>
      path === undefined ? undefined : readFile(path, 'utf8'),
    ),
  );
  const urls = options.urls.map((url) => new URL(url));
  const [{ username, password } = { username: '', password: '' }] = urls;
  const isSecure = urls.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: urls.map(({ host }) => host),
    name: options.clientId,
    // Their addresses within the cluster are not in their certificates.
    ignoreClusterUpdates: true,
    timeout: CONNECT_LIMIT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    ...(username !== '' && {
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    }),
    ...(isSecure && { tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }),
  };
}
