import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { processCpu } from '../cpu-meter.ts';
import { familyCpu } from '../cpu-meter.ts';
import { residentBytes, timesWaited } from './process-figures.ts';
import { readDatabase } from './read-database.ts';
import { serverRoles, type Installation } from './start-installation.ts';
import type { Usage } from './model/usage.ts';

const COUNTERS = {
  brokerMessagesIn: '$SYS/broker/publish/messages/received',
  brokerMessagesOut: '$SYS/broker/publish/messages/sent',
  brokerBytesIn: '$SYS/broker/bytes/received',
  brokerBytesOut: '$SYS/broker/bytes/sent',
} as const;
/** The broker publishes its counters every second. */
const FRESH_MS = 1_200;

/** Reads everything that the model states. All figures grow; differences are what was used. */
export interface Meter {
  readonly read: () => Promise<Reading>;
}

export interface Reading extends Usage {
  readonly atMs: number;
  readonly brokerResidentBytes: number;
  readonly brokerWakeups: number;
  readonly connects: number;
  /** Devices. */
  readonly connected: number;
  readonly updatedBytes: number;
  readonly heartbeats: number;
  /** Transactions in which the gateway has stored journals. */
  readonly journalBatches: number;
}

export async function openMeter(
  resources: AsyncDisposableStack,
  installation: Installation,
): Promise<Meter> {
  const { broker, database, databasePid, serverPids, gatewayUrl } = installation;
  const client = await mqtt.connectAsync(broker.url, {
    ...broker.access,
    ...{ protocolVersion: 4, clientId: 'meter', reconnectPeriod: 0 },
  });
  resources.defer(() => client.endAsync(true));
  const counted = new Map<string, number>();
  client.on('message', (topic, payload) => counted.set(topic, Number(payload.toString())));
  await client.subscribeAsync(Object.values(COUNTERS), { qos: 0 });
  const counter = (name: keyof typeof COUNTERS): number => counted.get(COUNTERS[name]) ?? 0;
  return {
    async read() {
      await sleep(FRESH_MS);
      const [gateway, web, worker] = await Promise.all(
        serverRoles.map((role) => processCpu(serverPids[role])),
      );
      return {
        ...(await readDatabase(database)),
        atMs: performance.now(),
        ...{ gatewayCpuMs: gateway ?? 0, webCpuMs: web ?? 0, workerCpuMs: worker ?? 0 },
        brokerCpuMs: await processCpu(broker.pid),
        databaseCpuMs: await familyCpu(databasePid),
        brokerMessagesIn: counter('brokerMessagesIn'),
        brokerMessagesOut: counter('brokerMessagesOut'),
        brokerBytesIn: counter('brokerBytesIn'),
        brokerBytesOut: counter('brokerBytesOut'),
        brokerResidentBytes: await residentBytes(broker.pid),
        brokerWakeups: await timesWaited(broker.pid),
        ...(await readGateway(gatewayUrl)),
      };
    },
  };
}

async function readGateway(url: string): Promise<Pick<Reading, 'heartbeats' | 'journalBatches'>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^deviceportal_device_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    heartbeats: valueOf('heartbeats_total'),
    journalBatches: valueOf('journal_batch_seconds_count'),
  };
}
