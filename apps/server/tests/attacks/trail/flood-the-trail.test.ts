import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type RunningAgent } from '@deviceportal/agent/run-agent';
import {
  HEARTBEAT_QUOTA,
  JOURNAL_DATA_LIMIT_CHARACTERS,
  JOURNAL_QUOTA,
  STATUS_QUOTA,
} from '@deviceportal/contract/device-limits';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { createDeviceMetrics } from '../../../src/gateway/device-metrics.ts';
import { JournalIngest } from '../../../src/gateway/journal/ingest-journal.ts';
import { GAP_COST } from '../../../src/gateway/journal/journal-quota.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  quietLogger,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
  type TestDevice,
} from '../../support/gateway-fixture.ts';
import { longestTurnDuring } from '../longest-turn-during.ts';
import { isThorough } from '../../support/is-thorough.ts';
import { testDeviceKeys } from '../../support/run-signing.ts';
import { testConnection } from '../../support/brokers/test-connection.ts';

/** More than the quota of a device. */
const FLOOD = isThorough ? 30_000 : 15_000;
const MESSAGE = 500;
/** Longer than the flood takes, so that one event tells all of it. */
const WINDOW_MS = isThorough ? 16_000 : 8_000;

const registry = new Registry();
let setup: GatewayFixture;
beforeAll(async () => {
  const meter = createDeviceMetrics({ registry });
  setup = await openGatewayFixture({ overflowWindowMs: WINDOW_MS, meter });
});
afterAll(() => setup[Symbol.asyncDispose]());

const event = (number: number) => ({ kind: 'event', type: 'tick', data: { number } }) as const;

async function countOf(
  { deviceId }: Pick<EnrolledDevice, 'deviceId'>,
  type: string,
  from: Pick<GatewayFixture, 'database'> = setup,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    from.database,
    'select count(*)::int as count from audit_event where device_id = $1 and type like $2',
    [deviceId, type],
  );
  return row?.count ?? 0;
}

const overflowsOf = ({ deviceId }: Pick<EnrolledDevice, 'deviceId'>) =>
  rowsOf<{ data: { counts: Record<string, number>; since: string; until: string } }>(
    setup.database,
    `select data from audit_event where device_id = $1 and type = 'device.over-limit' order by at`,
    [deviceId],
  );

/** Prepared in advance, so that writing it delays nothing. */
function floodOf(device: TestDevice, epoch: string = device.epoch): string[] {
  const at = new Date().toISOString();
  return Array.from({ length: FLOOD / MESSAGE }, (_, message) =>
    JSON.stringify({
      instanceId: device.instanceId,
      epoch,
      entries: Array.from({ length: MESSAGE }, (_each, index) => {
        const seq = message * MESSAGE + index + 1;
        return { seq, at, ...event(seq) };
      }),
    }),
  );
}

const sendAll = (device: TestDevice, payloads: readonly string[]) =>
  Promise.all(payloads.map((payload) => device.say('journal', payload)));

test('a device cannot fill the trail: thousands of events in a second leave its quota and one event about the excess', async () => {
  const [hostile, honest] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
  await using attacker = await connectDevice(setup, hostile);
  await using other = await connectDevice(setup, honest);
  const flood = floodOf(attacker);
  const waits: number[] = [];
  const [, longestMs] = await longestTurnDuring(async () => {
    const sent = sendAll(attacker, flood);
    for (let number = 1; number <= 20; number += 1) {
      const startedMs = performance.now();
      await other.journal(event(number));
      await until(() => other.ackedUpTo === number);
      waits.push(performance.now() - startedMs);
      await sleep(50);
    }
    await sent;
    let before = 0;
    await until(async () => {
      const last = before;
      before = await countOf(hostile, 'device-event.tick');
      if (before > last) await sleep(700);
      return before > 0 && before === last;
    }, 30_000);
  });
  const stored = await countOf(hostile, 'device-event.tick');
  console.log(
    `${stored} of ${FLOOD} events; longest turn ${Math.round(longestMs)} ms, ` +
      `worst answer to another device ${Math.round(Math.max(...waits))} ms`,
  );
  expect(stored).toBeLessThanOrEqual(JOURNAL_QUOTA.burst + 60 * JOURNAL_QUOTA.perSecond);
  expect(longestMs).toBeLessThan(200);
  expect(await countOf(honest, 'device-event.tick')).toBe(20);
  expect(Math.max(...waits)).toBeLessThan(2_000);
  const [told] = await until(async () => {
    const events = await overflowsOf(hostile);
    return events.length > 0 && events;
  }, 30_000);
  expect(told?.data.counts['journal-entries']).toBeGreaterThanOrEqual(FLOOD - stored);
  await sleep(WINDOW_MS * 1.5);
  expect(await overflowsOf(hostile)).toHaveLength(1);
  expect(await overflowsOf(honest)).toEqual([]);
  const counted = await registry.getSingleMetric('deviceportal_device_over_limit_total')?.get();
  expect(counted?.values).toEqual([
    { labels: { kind: 'journal-entries' }, value: told?.data.counts['journal-entries'] },
  ]);
}, 120_000);

test('a device cannot reset its quota with another connection, server, or journal', async () => {
  const device = await enrollTestDevice(setup);
  await setup.database.pool.query(
    'update device_instance set journal_tokens = 50, journal_tokens_at = now() where id = $1',
    [device.instanceId],
  );
  const epoch = randomUUID();
  for (let connection = 0; connection < 3; connection += 1) {
    await using attacker = await connectDevice(setup, device);
    await sendAll(attacker, floodOf(attacker, epoch).slice(0, 2));
  }
  await using second = new JournalIngest(
    {
      ...setup,
      transport: setup.broker.devices,
      deviceKeys: testDeviceKeys(),
      connection: testConnection(),
      logger: quietLogger,
      clock: () => new Date(),
    },
    { refusals: { record() {} }, overflow: { note() {} } },
  );
  await using attacker = await connectDevice(setup, device);
  for (const journal of [epoch, randomUUID(), randomUUID(), randomUUID()]) {
    const [payload = ''] = floodOf(attacker, journal);
    await second.take({ deviceId: device.deviceId, payload: Buffer.from(payload) });
  }
  expect(await countOf(device, 'device-event.tick')).toBeLessThan(50 + 30);
});

test('a device cannot fill the trail with gaps in its journal', async () => {
  await using own = await openGatewayFixture({
    journalQuota: { burst: 10 * GAP_COST, perSecond: 1 },
  });
  const device = await enrollTestDevice(own);
  await using attacker = await connectDevice(own, device);
  const said = Array.from({ length: 100 }, (_, index) => {
    const { instanceId, epoch } = attacker;
    const [entry = {}] = attacker.number([event(index)]);
    const seq = (index + 1) * 10;
    return attacker.say('journal', {
      ...{ instanceId, epoch, oldest: seq },
      entries: [{ ...entry, seq }],
    });
  });
  await Promise.all(said);
  await until(() => attacker.messages.some(({ body }) => body['waitMs'] !== undefined));
  const holes = await countOf(device, 'device.journal-gap', own);
  expect(holes).toBeGreaterThan(0);
  expect(holes).toBeLessThanOrEqual(10);
});

test('a value that is too large or too deep is skipped, and the following entries are applied', async () => {
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  const deep = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as unknown;
  const bad = [
    { data: { text: 'x'.repeat(JOURNAL_DATA_LIMIT_CHARACTERS) } },
    { data: { deep } },
    { at: `2026-01-01T00:00:00.${'0'.repeat(5_000)}Z` },
    { type: 'x'.repeat(500) },
  ];
  const entries = connected.number([event(1), ...bad.map(() => event(0)), event(2)]);
  await connected.entries(entries.map((entry, index) => ({ ...entry, ...bad[index - 1] })));
  await until(() => connected.ackedUpTo === bad.length + 2);
  expect(await countOf(device, 'device-event.tick')).toBe(2);
  expect(await countOf(device, 'device.refused')).toBe(bad.length);
});

test('a suspended device that is still connected cannot write events by its heartbeats', async () => {
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  await beat(connected, []);
  const heartbeatAt = async () =>
    (
      await rowsOf<{ at: Date | null }>(
        setup.database,
        'select heartbeat_at as at from device_status where device_id = $1',
        [device.deviceId],
      )
    )[0]?.at?.getTime();
  const before = await until(heartbeatAt);
  for (const table of ['device', 'device_status'])
    await setup.database.pool.query(
      `update ${table} set lifecycle = 'suspended' where ${table === 'device' ? 'id' : 'device_id'} = $1`,
      [device.deviceId],
    );
  await beat(connected, [{ part: 'disk', fact: '97 % used' }]);
  await sleep(300);
  expect(await heartbeatAt()).toBe(before);
  expect(await countOf(device, 'device.degraded')).toBe(0);
});

const beat = (device: TestDevice, failing: readonly object[]) =>
  device.say('heartbeat', {
    instanceId: device.instanceId,
    at: new Date().toISOString(),
    failing,
    diskUsedPercent: 97,
    memoryUsedPercent: 20,
    uptimeSeconds: 60,
  });

test('a device cannot fill the trail by alternating failures and recoveries', async () => {
  const device = await enrollTestDevice(setup);
  await using connected = await connectDevice(setup, device);
  for (let turn = 0; turn < 200; turn += 1) {
    await beat(connected, turn % 2 === 0 ? [{ part: 'disk', fact: 'full' }] : []);
    if (turn % 10 === 0) await sleep(30);
  }
  await sleep(300);
  const told =
    (await countOf(device, 'device.degraded')) + (await countOf(device, 'device.recovered'));
  expect(told).toBeLessThanOrEqual(HEARTBEAT_QUOTA.burst + 2);
});

test('a device cannot fill the trail by changing presence within a connection, and is offline at the end', async () => {
  const [hostile, honest] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
  await using attacker = await connectDevice(setup, hostile);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const body = JSON.stringify(attacker.status(turn % 2 === 0 ? 'offline' : 'online'));
    attacker.client.publish(upTopic(hostile.deviceId, 'status'), body, { qos: 1 }, () => {});
  }
  await until(() => !attacker.client.connected);
  await using _other = await connectDevice(setup, honest);
  await until(async () => (await connectivityOf(honest)) === 'online');
  await until(async () => (await connectivityOf(hostile)) === 'offline');
  const told =
    (await countOf(hostile, 'device.connected')) + (await countOf(hostile, 'device.disconnected'));
  expect(told).toBeLessThanOrEqual(STATUS_QUOTA.burst + 2);
});

const connectivityOf = async ({ deviceId }: EnrolledDevice): Promise<string | undefined> =>
  (
    await rowsOf<{ connectivity: string }>(
      setup.database,
      'select connectivity from device_status where device_id = $1',
      [deviceId],
    )
  )[0]?.connectivity;

async function agentOf(
  own: GatewayFixture,
  device: EnrolledDevice,
  directory: string,
): Promise<RunningAgent> {
  const { deviceId, instanceId, certificate, key } = device;
  await writeFile(
    join(directory, 'identity.json'),
    JSON.stringify({
      ...{ deviceId, instanceId, certificate },
      brokerUrl: `mqtts://127.0.0.1:${own.broker.tlsPort}`,
      serverUrl: 'http://127.0.0.1:9',
      authorities: own.authority.authorities,
      privateKey: key,
      pendingPrivateKey: null,
    }),
  );
  return startAgent({
    stateDirectory: directory,
    serialNumber: null,
    log: () => {},
    enrollment: null,
    onRestartWanted: () => {},
    timing: { backOffBaseMs: 20, backOffCapMs: 100 },
  });
}

/** Sends the events of an offline period, all of them, once and in order. */
async function comesBackWith(own: GatewayFixture, events: number): Promise<{ tookMs: number }> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'dp-day-offline-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const device = await enrollTestDevice(own);
  const { agent } = cleanup.use(await agentOf(own, device, directory));
  await until(() => agent.isConnected && agent.unacknowledged === 0, 20_000);
  agent.disconnect();
  for (let number = 1; number <= events; number += 1) agent.event('tick', { number });
  const startedMs = performance.now();
  agent.connect();
  await until(() => agent.unacknowledged === 0, 60_000);
  const tookMs = performance.now() - startedMs;
  const rows = await rowsOf<{ number: number }>(
    own.database,
    `select (data ->> 'number')::int as number from audit_event
     where device_id = $1 and type = 'device-event.tick' order by (data ->> 'seq')::int`,
    [device.deviceId],
  );
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: events }, (_, index) => index + 1),
  );
  expect(await countOf(device, 'device.journal-gap', own)).toBe(0);
  return { tookMs };
}

test('an honest device that reconnects after a day with an event every ten seconds loses nothing and is not delayed', async () => {
  const { tookMs } = await comesBackWith(setup, 8_640);
  console.log(`a day offline: ${Math.round(tookMs)} ms`);
  expect(tookMs).toBeLessThan(20_000);
}, 90_000);

test('an honest device with more events than its quota is delayed and loses nothing', async () => {
  await using own = await openGatewayFixture({ journalQuota: { burst: 700, perSecond: 400 } });
  const { tookMs } = await comesBackWith(own, 1_700);
  console.log(`beyond its quota: ${Math.round(tookMs)} ms`);
  expect(tookMs).toBeGreaterThan(2_000);
}, 90_000);
