import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { upTopic } from '@deviceportal/device-protocol/topics';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import type { DeviceTransport } from '../../src/gateway/device-transport.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { connectClient } from '../support/brokers/device-client.ts';
import { hasNats, startNatsCluster, type NatsCluster } from '../support/brokers/nats.ts';
import { openTransportAt } from '../support/brokers/transport-engine.ts';
import { until } from '../support/gateway-fixture.ts';

const LIMIT_MS = 120_000;
const DEVICES = 30;
const SENT_BEFORE = 1_000;
const SENT_AFTER = 2_000;
const PAUSE_MS = 30;

describe.runIf(hasNats)('a cluster of NATS', () => {
  const resources = new AsyncDisposableStack();
  let authority: RotatingCertificateAuthority;
  let cluster: NatsCluster;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dp-nats-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    authority = await openCertificateAuthority({ store: createFileSecrets(directory), hosts: [] });
    cluster = resources.use(await startNatsCluster({ directory, authority }));
  }, LIMIT_MS);
  afterAll(() => resources.disposeAsync(), LIMIT_MS);

  /** @param up what the gateway does with each message */
  async function openGateway(up: (text: string) => Promise<void> | void): Promise<DeviceTransport> {
    const gateway = resources.use(await openTransportAt(cluster));
    await gateway.start({
      up: async (messages) => {
        for (const { payload } of messages) await up(Buffer.from(payload).toString());
      },
      admit: async (requests) => requests.map(() => true),
      refused: () => {},
      overflowed: () => {},
      reset: () => {},
    });
    return gateway;
  }

  const connect = async (node: number): Promise<{ client: MqttClient; deviceId: string }> => {
    const deviceId = newId();
    const url = cluster.access.deviceUrls[node % cluster.nodes.length] ?? '';
    return { deviceId, client: await connectClient({ url, deviceId, authority }) };
  };

  /** A device that connects to another node when it loses its own, and sends one message after the other. */
  async function say(device: {
    readonly from: number;
    readonly acknowledged: Set<string>;
    readonly signal: AbortSignal;
  }): Promise<void> {
    const { acknowledged, signal } = device;
    for (let node = device.from; !signal.aborted; node += 1) {
      const connected = await connect(node).catch(() => undefined);
      if (connected === undefined) continue;
      const { client, deviceId } = connected;
      const closed = new Promise<false>((resolve) => {
        client.once('close', () => resolve(false));
      });
      for (let number = 0; !signal.aborted; number += 1) {
        const text = `${deviceId} ${number}`;
        const sent = client.publishAsync(upTopic(deviceId, 'journal'), text, { qos: 1 });
        if (!(await Promise.race([sent.then(() => true).catch(() => false), closed]))) break;
        acknowledged.add(text);
        await sleep(PAUSE_MS);
      }
      await client.endAsync(true);
    }
  }

  test(
    'delivers what a stopping gateway has not stored to another one at once',
    async () => {
      const held: string[] = [];
      const heard: string[] = [];
      const stopping = await openGateway(async (text) => {
        held.push(text);
        await new Promise(() => {});
      });
      const { client, deviceId } = await connect(0);
      await client.publishAsync(upTopic(deviceId, 'journal'), 'held', { qos: 1 });
      await until(() => held.length === 1);
      const other = await openGateway((text) => void heard.push(text));
      await stopping[Symbol.asyncDispose]();
      await until(() => heard.includes('held'), 10_000);
      await other[Symbol.asyncDispose]();
      await client.endAsync(true);
    },
    LIMIT_MS,
  );

  test(
    'loses no acknowledged message when a node is killed, and serves its devices again',
    async () => {
      const heard = new Set<string>();
      const acknowledged = new Set<string>();
      await openGateway((text) => void heard.add(text));
      await openGateway((text) => void heard.add(text));
      const stop = new AbortController();
      const saying = Array.from({ length: DEVICES }, (_, index) =>
        say({ from: index, acknowledged, signal: stop.signal }),
      );
      await until(() => acknowledged.size >= SENT_BEFORE, 30_000);
      await cluster.nodes[0]?.kill();
      await until(() => acknowledged.size >= SENT_BEFORE + SENT_AFTER, 60_000);
      stop.abort();
      await Promise.all(saying);
      const lost = (): string[] => [...acknowledged].filter((text) => !heard.has(text));
      await until(() => lost().length === 0, 60_000).catch(() => {});
      expect(lost()).toEqual([]);
    },
    LIMIT_MS,
  );
});
