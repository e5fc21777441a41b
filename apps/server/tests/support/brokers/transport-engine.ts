import type { CertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import type { DeviceTransport } from '../../../src/gateway/device-transport.ts';
import { openEmbeddedBroker } from '../../../src/gateway/embedded-transport.ts';
import { openExternalTransport } from '../../../src/gateway/external-transport.ts';
import { openNatsTransport } from '../../../src/gateway/nats/nats-transport.ts';
import { quietLogger } from '../gateway-fixture.ts';
import { hasMosquitto, Mosquitto } from './mosquitto.ts';
import { hasNats, startNatsCluster, type NatsCluster } from './nats.ts';
import { hasRmqtt, startRmqtt } from './rmqtt.ts';

/** What devices connect to, and the gateway's side of it. */
export interface OpenEngine extends AsyncDisposable {
  readonly deviceUrls: readonly string[];
  readonly subscriptionQos: 0 | 1;
  readonly transport: DeviceTransport;
}

export interface TransportEngine {
  readonly name: string;
  /** What is missing here; undefined if it can be opened. */
  readonly lacks: string | undefined;
  /** Whether it asks the gateway about each device. */
  readonly asks: boolean;
  readonly open: (options: EngineOptions) => Promise<OpenEngine>;
}

interface EngineOptions {
  /** For its files. */
  readonly directory: string;
  readonly authority: CertificateAuthority;
}

const clientId = 'gateway';
const maxMessageBytes = 128 * 1024;

export const embedded: TransportEngine = {
  name: 'embedded broker',
  lacks: undefined,
  asks: true,
  async open({ authority }) {
    const broker = await openEmbeddedBroker({
      logger: quietLogger,
      devices: { host: '127.0.0.1', port: 0, authority },
      maxMessageBytes,
    });
    return {
      deviceUrls: [`mqtts://localhost:${broker.tlsPort}`],
      subscriptionQos: 1,
      transport: broker.devices,
      [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
    };
  },
};

export const mosquitto: TransportEngine = {
  name: 'Mosquitto',
  lacks: hasMosquitto ? undefined : 'mosquitto',
  asks: false,
  async open(options) {
    await using opening = new AsyncDisposableStack();
    const { access } = opening.use(await Mosquitto.start(options));
    const transport = opening.use(
      await openExternalTransport({
        ...access,
        urls: [access.url],
        nodes: 'cluster',
        ...{ clientId, maxMessageBytes, logger: quietLogger },
      }),
    );
    return owned(opening, { deviceUrls: [access.url], subscriptionQos: 1, transport });
  },
};

export const nats: TransportEngine = {
  name: 'NATS',
  lacks: hasNats ? undefined : 'NATS (.ci/parts/aws)',
  asks: true,
  async open(options) {
    await using opening = new AsyncDisposableStack();
    const cluster = opening.use(await startNatsCluster(options));
    const transport = opening.use(await openTransportAt(cluster));
    const { deviceUrls } = cluster.access;
    return owned(opening, { deviceUrls, subscriptionQos: 0, transport });
  },
};

export const rmqtt: TransportEngine = {
  name: 'RMQTT',
  lacks: hasRmqtt ? undefined : 'RMQTT (.ci/parts/rmqtt)',
  asks: false,
  async open(options) {
    await using opening = new AsyncDisposableStack();
    const { access } = opening.use(await startRmqtt({ ...options, isCluster: true }));
    const transport = opening.use(
      await openExternalTransport({
        ...access,
        nodes: 'cluster',
        ...{ clientId, maxMessageBytes, logger: quietLogger },
      }),
    );
    return owned(opening, { deviceUrls: access.urls, subscriptionQos: 1, transport });
  },
};

export const openTransportAt = ({ access }: NatsCluster): Promise<DeviceTransport> =>
  openNatsTransport({ ...access, clientId, maxMessageBytes, logger: quietLogger });

function owned(
  opening: AsyncDisposableStack,
  engine: Omit<OpenEngine, keyof AsyncDisposable>,
): OpenEngine {
  const resources = opening.move();
  return { ...engine, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
