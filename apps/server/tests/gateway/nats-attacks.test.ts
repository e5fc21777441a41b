import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectNats } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { downFilter, downTopic, upTopic } from '@deviceportal/device-protocol/topics';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import type { DeviceTransport } from '../../src/gateway/device-transport.ts';
import { writeSeed } from '../../src/gateway/nats/nats-keys.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { connectClient } from '../support/brokers/device-client.ts';
import { hasNats, startNatsCluster, type NatsCluster } from '../support/brokers/nats.ts';
import { openTransportAt } from '../support/brokers/transport-engine.ts';
import { createRequest, until } from '../support/gateway-fixture.ts';

describe.runIf(hasNats)('attacks on a cluster of NATS', () => {
  const resources = new AsyncDisposableStack();
  const heard: string[] = [];
  let directory: string;
  let authority: RotatingCertificateAuthority;
  let cluster: NatsCluster;
  let transport: DeviceTransport;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dp-nats-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    authority = await openCertificateAuthority({ store: createFileSecrets(directory), hosts: [] });
    cluster = resources.use(await startNatsCluster({ directory, authority }));
    transport = resources.use(await openTransportAt(cluster));
  });
  afterAll(() => resources.disposeAsync());

  const serve = (gateway: DeviceTransport): Promise<void> =>
    gateway.start({
      up: async (messages) =>
        messages.forEach(({ deviceId, payload }) =>
          heard.push(`${deviceId} ${Buffer.from(payload).toString()}`),
        ),
      admit: async (requests) => requests.map(() => true),
      refused: () => {},
      overflowed: () => {},
      reset: () => {},
    });
  const connect = async (deviceId: string) => {
    const url = cluster.access.deviceUrls[0] ?? '';
    const client = await connectClient({ url, deviceId, authority });
    resources.defer(() => client.endAsync(true));
    return client;
  };

  test('a gateway with the key of another issuer admits nobody', async () => {
    const issuerFile = join(directory, 'other-issuer');
    await writeFile(issuerFile, writeSeed(randomBytes(32), 'account'));
    const access = { ...cluster.access, issuerFile };
    const impostor = await openTransportAt({ ...cluster, access });
    await serve(impostor);
    await expect(connect(newId())).rejects.toThrow(/Not authorized/);
    await impostor[Symbol.asyncDispose]();
    await serve(transport);
    await connect(newId());
  });

  test('a device reaches nothing but its own subjects by other topics', async () => {
    const [own, other] = [newId(), newId()];
    const victim = await connect(other);
    const received: string[] = [];
    victim.on('message', (_topic, payload) => void received.push(payload.toString()));
    await victim.subscribeAsync(downFilter(other), { qos: 0 });
    const dotted = (topic: string): string => topic.replaceAll('/', '.');
    for (const topic of [
      dotted(upTopic(other, 'journal')),
      `${upTopic(own, 'journal')}/../../../${other}/up/journal`,
      `$MQTT/msgs/${upTopic(other, 'journal')}`,
      `$MQTT.msgs.${dotted(upTopic(other, 'journal'))}`,
      '$MQTT/sub/x',
      '$JS/API/STREAM/DELETE/$MQTT_msgs',
      '$JS/API/CONSUMER/DELETE/$MQTT_msgs/deviceportal',
      '$SYS/REQ/USER/AUTH',
      '$SYS/REQ/SERVER/PING/CONNZ',
      dotted(downTopic(other, 'command')),
    ]) {
      const client = await connect(own);
      const closed = new Promise<void>((resolve) => {
        client.once('close', () => resolve());
      });
      await Promise.race([
        client.publishAsync(topic, 'forged', { qos: 1 }).catch(() => {}),
        closed,
      ]);
      await client.endAsync(true);
    }
    const client = await connect(own);
    for (const filter of ['$MQTT/#', '$JS/#', '$SYS/#', '$SYS/REQ/USER/AUTH', '_INBOX/#', '+/#']) {
      await expect(client.subscribeAsync(filter, { qos: 0 })).rejects.toThrow(/Subscribe error/);
    }
    await client.publishAsync(upTopic(own, 'journal'), 'last', { qos: 1 });
    await until(() => heard.includes(`${own} last`));
    transport.publish([{ deviceId: other, channel: 'ack', payload: 'end', qos: 0 }]);
    await until(() => received.includes('end'));
    expect([heard.filter((text) => text.endsWith('forged')), received]).toEqual([[], ['end']]);
  });

  test('a device is refused at the port of the gateways', async () => {
    const { key, request } = await createRequest();
    const { certificate } = await authority.sign(request, {
      deviceId: newId(),
      instanceId: null,
    });
    const servers = cluster.access.urls.map((url) => new URL(url).host);
    const attempt = (tls: { readonly cert?: string; readonly key?: string }) =>
      connectNats({
        ...{ servers, reconnect: false, ignoreClusterUpdates: true },
        tls: { ca: authority.authorities, ...tls },
      });
    // The connection may end before the reason was read.
    const refused = /authorization|certificate|disconnect|closed|ECONNRESET|EPIPE/i;
    await expect(attempt({ cert: certificate, key })).rejects.toThrow(refused);
    await expect(attempt({})).rejects.toThrow(refused);
    const { certificateFile, keyFile } = cluster.access;
    const own = {
      cert: await readFile(certificateFile, 'utf8'),
      key: await readFile(keyFile, 'utf8'),
    };
    const gateway = await attempt(own);
    await gateway.close();
  });
});
