import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { allUpFilter, downTopic, parseUpTopic } from '@deviceportal/device-protocol/topics';
import type { DeviceTransport, DeviceTransportHandlers, UpMessage } from './device-transport.ts';
import type { GatewayLogger } from './gateway-logger.ts';
import { wholePayload } from './broker/whole-payload.ts';

export interface ExternalTransportOptions {
  /** `mqtts://host:8883` or `mqtt://user:password@host`. */
  readonly url: string;
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /**
   * Gateways of one group share the work: the broker delivers each message to one of them. Null receives everything.
   */
  readonly sharedGroup?: string | null;
  /** Prefix of the MQTT client id; the rest is random, because two connections with the same id end each other. */
  readonly clientId: string;
  readonly logger: GatewayLogger;
  readonly maxMessageBytes: number;
}

const RECONNECT_MS = 1_000;
const BATCH_MS = 2;
const FIRST_SILENCE_MS = 5_000;
const LONGEST_SILENCE_MS = 300_000;
const FIRST_CONNECT_LIMIT_MS = 15_000;

/**
 * Devices behind an external broker. The broker enforces topic permissions (docs/guides/external-broker.md); whether
 * a device may be served is checked here on every message, because its connection cannot be rejected here.
 * @throws Error when the broker is not reached within 15 s
 */
export async function openExternalTransport(
  options: ExternalTransportOptions,
): Promise<DeviceTransport> {
  const client = mqtt.connect(options.url, await clientOptions(options));
  let handlers: DeviceTransportHandlers | undefined;
  let gathered: UpMessage[] = [];
  const flush = (): void => {
    const messages = gathered;
    gathered = [];
    void handlers?.up(messages);
  };
  client.on('message', (topic, payload) => {
    const address = parseUpTopic(topic);
    if (!address || !handlers) return;
    if (payload.byteLength > options.maxMessageBytes) {
      handlers.refused([{ deviceId: address.deviceId, reason: 'message-too-large' }]);
      return;
    }
    if (gathered.length === 0) setTimeout(flush, BATCH_MS);
    gathered.push({ ...address, payload });
  });
  reportAbsence(client, options.logger);
  await connected(client, options);
  return {
    ownsConnections: false,
    async start(given) {
      handlers = given;
      const { sharedGroup = 'deviceportal' } = options;
      const filter = sharedGroup === null ? allUpFilter : `$share/${sharedGroup}/${allUpFilter}`;
      await client.subscribeAsync(filter, { qos: 1 });
    },
    publish(messages) {
      if (!client.connected) return;
      for (const message of messages) {
        const topic = downTopic(message.deviceId, message.channel);
        client.publish(topic, wholePayload(message), { qos: message.qos }, () => {});
      }
    },
    disconnect() {},
    async [Symbol.asyncDispose]() {
      handlers = undefined;
      await client.endAsync(true);
    },
  };
}

/** The client reconnects every second. The first failure is logged, and further ones at growing intervals. */
function reportAbsence(client: MqttClient, logger: GatewayLogger): void {
  let failures = 0;
  let silentUntilMs = 0;
  let waitMs = FIRST_SILENCE_MS;
  client.on('error', (error) => {
    failures += 1;
    const nowMs = performance.now();
    if (nowMs < silentUntilMs) return;
    logger.warn({ err: error, failures }, 'external broker disconnected');
    silentUntilMs = nowMs + waitMs;
    waitMs = Math.min(waitMs * 2, LONGEST_SILENCE_MS);
  });
  client.on('connect', () => {
    if (failures > 0) logger.info({ failures }, 'external broker reconnected');
    failures = 0;
    silentUntilMs = 0;
    waitMs = FIRST_SILENCE_MS;
  });
}

async function clientOptions(options: ExternalTransportOptions): Promise<IClientOptions> {
  const [ca, cert, key] = await Promise.all(
    [options.caFile, options.certificateFile, options.keyFile].map((path) =>
      path === undefined ? undefined : readFile(path),
    ),
  );
  return {
    clientId: `${options.clientId}-${randomUUID()}`,
    protocolVersion: 4,
    // Devices send missed messages again, so no stored session is needed.
    clean: true,
    reconnectPeriod: RECONNECT_MS,
    resubscribe: true,
    queueQoSZero: false,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}

async function connected(client: MqttClient, { url }: ExternalTransportOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let last: Error | undefined;
  client.on('error', (error) => void (last = error));
  client.once('connect', () => resolve());
  const timer = setTimeout(() => {
    const host = URL.canParse(url) ? new URL(url).host : 'the broker';
    reject(new Error(`${host} not reached: ${last?.message ?? 'no answer'}`, { cause: last }));
  }, FIRST_CONNECT_LIMIT_MS);
  try {
    await promise;
  } catch (error) {
    await client.endAsync(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
