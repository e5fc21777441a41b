import { openEmbeddedBroker } from '../../apps/server/src/gateway/embedded-transport.ts';
import { admitAll, benchLogger } from '../device-fixture.ts';
import { settle, type BenchBroker, type BenchBrokerOptions } from './bench-broker.ts';

/** In this process. */
export async function startEmbedded({
  resources,
  fleet: { authority, devices },
}: BenchBrokerOptions): Promise<BenchBroker> {
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: { host: '127.0.0.1', port: 0, authority },
      connections: { perAddress: devices.length },
    }),
  );
  await broker.devices.start(admitAll);
  return {
    brokerUrls: [`mqtts://127.0.0.1:${broker.tlsPort}`],
    subscriptionQos: 1,
    async residentBytes() {
      await settle();
      globalThis.gc?.();
      // The broker's thread collects, too, when it is asked to count.
      await broker.countConnections();
      return process.memoryUsage().rss;
    },
  };
}
