import { startRmqtt as startNodes } from '../../apps/server/tests/support/brokers/rmqtt.ts';
import { openExternalTransport } from '../../apps/server/src/gateway/external-transport.ts';
import { admitAll, benchLogger } from '../device-fixture.ts';
import { residentBytesOf, type BenchBroker, type BenchBrokerOptions } from './bench-broker.ts';

/** Three nodes with the configuration of `deploy/rmqtt`, and a gateway. */
export async function startRmqtt({
  resources,
  directory,
  fleet: { authority },
}: BenchBrokerOptions): Promise<BenchBroker> {
  const { nodes, access } = resources.use(
    await startNodes({ directory, authority, isCluster: false }),
  );
  const transport = resources.use(
    await openExternalTransport({
      ...access,
      nodes: 'each',
      clientId: 'bench',
      logger: benchLogger,
      maxMessageBytes: 128 * 1024,
    }),
  );
  await transport.start(admitAll);
  return {
    brokerUrls: access.urls,
    subscriptionQos: 1,
    residentBytes: () => residentBytesOf(nodes.map(({ pid }) => pid)),
  };
}
