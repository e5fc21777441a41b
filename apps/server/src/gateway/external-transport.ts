import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IClientOptions } from 'mqtt';
import { allUpFilter, downTopic, parseUpTopic } from '@deviceportal/device-protocol/topics';
import { BrokerLink } from './broker-link.ts';
import type { DeviceTransport, DeviceTransportHandlers, UpMessage } from './device-transport.ts';
import type { GatewayLogger } from './gateway-logger.ts';
import { wholePayload } from './broker/whole-payload.ts';

export interface ExternalTransportOptions {
  /** `mqtts://host:8883` or `mqtt://user:password@host`; at least one. */
  readonly urls: readonly string[];
  /** `cluster`: connects to one of the brokers. `each`: connects to all, which are independent. */
  readonly nodes: 'cluster' | 'each';
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

const BATCH_MS = 2;
const FIRST_CONNECT_LIMIT_MS = 15_000;
/** A gateway that hangs loses its share of messages until the broker notices, after half as much again. */
const KEEP_ALIVE_SECONDS = 15;

/**
 * Devices behind external brokers. The broker enforces topic permissions (docs/guides/device-transport.md); whether
 * a device may be served is checked here on every message, because its connection cannot be rejected here.
 * @throws Error when no broker is reached within 15 s
 */
export async function openExternalTransport(
  options: ExternalTransportOptions,
): Promise<DeviceTransport> {
  const { sharedGroup = 'deviceportal', maxMessageBytes, logger } = options;
  let handlers: DeviceTransportHandlers | undefined;
  let gathered: UpMessage[] = [];
  const flush = (): void => {
    const messages = gathered;
    gathered = [];
    void handlers?.up(messages);
  };
  const onMessage = (topic: string, payload: Buffer): void => {
    const address = parseUpTopic(topic);
    if (!address || !handlers) return;
    if (payload.byteLength > maxMessageBytes) {
      handlers.refused([{ deviceId: address.deviceId, reason: 'message-too-large' }]);
      return;
    }
    if (gathered.length === 0) setTimeout(flush, BATCH_MS);
    gathered.push({ ...address, payload });
  };
  const clientOptions = await readClientOptions(options);
  const filter = sharedGroup === null ? allUpFilter : `$share/${sharedGroup}/${allUpFilter}`;
  const links = listsOf(options).map(
    (urls) => new BrokerLink({ urls, clientOptions, filter, onMessage, logger }),
  );
  const dispose = async (): Promise<void> => {
    handlers = undefined;
    await Promise.all(links.map((link) => link[Symbol.asyncDispose]()));
  };
  try {
    await soon(Promise.any(links.map((link) => link.reached)), links, options.urls);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    ownsConnections: false,
    listeningMs: () => Math.max(...links.map((link) => link.listeningMs)),
    async start(given) {
      handlers = given;
      await soon(Promise.any(links.map((link) => link.listen())), links, options.urls);
    },
    publish(messages) {
      for (const message of messages) {
        const topic = downTopic(message.deviceId, message.channel);
        // A broker drops messages for devices that are connected to another one.
        for (const link of links) link.publish(topic, wholePayload(message), message.qos);
      }
    },
    disconnect() {},
    [Symbol.asyncDispose]: dispose,
  };
}

/** The brokers of each connection. In a cluster, gateways begin at different ones. */
function listsOf({ urls, nodes }: Pick<ExternalTransportOptions, 'urls' | 'nodes'>): string[][] {
  if (nodes === 'each') return urls.map((url) => [url]);
  const first = Math.floor(Math.random() * urls.length);
  return [[...urls.slice(first), ...urls.slice(0, first)]];
}

async function readClientOptions(options: ExternalTransportOptions): Promise<() => IClientOptions> {
  const [ca, cert, key] = await Promise.all(
    [options.caFile, options.certificateFile, options.keyFile].map((path) =>
      path === undefined ? undefined : readFile(path),
    ),
  );
  return () => ({
    clientId: `${options.clientId}-${randomUUID()}`,
    protocolVersion: 4,
    // Devices send missed messages again, so no stored session is needed.
    clean: true,
    keepalive: KEEP_ALIVE_SECONDS,
    reschedulePings: false,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  });
}

/** @throws Error with the last fault if the connection is not ready within 15 s */
async function soon(
  ready: Promise<void>,
  links: readonly BrokerLink[],
  urls: readonly string[],
): Promise<void> {
  const stop = new AbortController();
  const tooLate = sleep(FIRST_CONNECT_LIMIT_MS, undefined, stop).then(() => {
    const hosts = urls.map((url) => new URL(url).host).join(', ');
    const fault = links.map(({ lastFault }) => lastFault).find((error) => error !== undefined);
    throw new Error(`${hosts} not reached: ${fault?.message ?? 'no answer'}`, { cause: fault });
  });
  try {
    await Promise.race([ready, tooLate]);
  } finally {
    tooLate.catch(() => {});
    stop.abort();
  }
}
