import { startNatsCluster } from '../../apps/server/tests/support/brokers/nats.ts';
import { openNatsTransport } from '../../apps/server/src/gateway/nats/nats-transport.ts';
import { admitAll, benchLogger } from '../device-fixture.ts';
import { residentBytesOf, type BenchBroker, type BenchBrokerOptions } from './bench-broker.ts';

/** Three nodes with the configuration of `deploy/nats`, and a gateway that admits every device. */
export async function startNats({
  resources,
  directory,
  fleet: { authority },
}: BenchBrokerOptions): Promise<BenchBroker> {
  const { nodes, access } = resources.use(await startNatsCluster({ directory, authority }));
  const transport = resources.use(
    await openNatsTransport({
      ...access,
      clientId: 'bench',
      logger: benchLogger,
      maxMessageBytes: 128 * 1024,
    }),
  );
  await transport.start(admitAll);
  return {
    brokerUrls: access.deviceUrls,
    subscriptionQos: 0,
    residentBytes: () => residentBytesOf(nodes.map(({ pid }) => pid)),
  };
}
