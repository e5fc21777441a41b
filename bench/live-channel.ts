/**
 * A change of a device on its way to 1,000 subscribers of the live channel, who also hear of the whole fleet: from the
 * moment it is ordered until each of them has it. `npm run bench:live`
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveMessage } from '@deviceportal/contract/live-channel';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { percentile, startPortalProcess } from './support/portal-process.ts';
import { signInToPortal, type PortalClient } from './support/portal-client.ts';

const SUBSCRIBERS = 1_000;
const PEOPLE = ['admin', 'operator', 'support', 'auditor', 'viewer'];
const AT_ONCE = 20;
const ROUNDS = 20;
const ROUND_MS = 1_500;
const LIMIT_MS = 500;
const PAGE = 25;

/** Hears `device subscriber`. */
type Listener = (who: string) => void;

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
try {
  await using portal = await startPortalProcess({
    dataDir,
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
    args: ['--no-agent'],
  });
  const clients = await Promise.all(
    PEOPLE.map((name) => signInToPortal(portal.url, `${name}@deviceportal.local`)),
  );
  const [admin] = clients;
  if (admin === undefined) throw new Error('nobody signed in');
  const deviceIds = await firstPage(admin);
  const listeners = new Set<Listener>();
  const connectedAt = performance.now();
  const connections = await subscribe(clients, { deviceIds, listeners });
  print(`${SUBSCRIBERS} subscribers connected and watching`, performance.now() - connectedAt);
  await sleep(3_000);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const deviceId = deviceIds[round % deviceIds.length] ?? '';
    times.push(...(await changeOnce(admin, { deviceId, round, listeners })));
  }
  print('a change with everybody, median', percentile(times, 0.5));
  print('a change with everybody, p95', percentile(times, 0.95), LIMIT_MS);
  print('a change with everybody, slowest', Math.max(...times));
  const missing = SUBSCRIBERS * ROUNDS - times.length;
  if (missing > 0) throw new Error(`${missing} subscribers did not hear of a change`);
  await Promise.all(connections.map((connection) => connection.endAsync(true)));
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

/** The devices that a list shows, once the simulated fleet is on record. */
async function firstPage(admin: PortalClient): Promise<string[]> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { rows } = (await admin.query('devices.list', {})) as { rows: { id: string }[] };
    if (rows.length >= PAGE) return rows.map(({ id }) => id);
    await sleep(100);
  }
  throw new Error('the fleet did not appear');
}

interface Subscription {
  readonly deviceIds: readonly string[];
  readonly listeners: Set<Listener>;
}

/** Each person with as many connections as make up the number, a few opened at a time. */
async function subscribe(clients: readonly PortalClient[], subscription: Subscription) {
  const waiting = Array.from({ length: SUBSCRIBERS }, (_, index) => index);
  const connections: Awaited<ReturnType<PortalClient['openLive']>>['client'][] = [];
  const worker = async (): Promise<void> => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const client = clients[index % clients.length];
      if (client) connections.push(await openOne(client, index, subscription));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return connections;
}

async function openOne(
  client: PortalClient,
  index: number,
  { deviceIds, listeners }: Subscription,
): Promise<Awaited<ReturnType<PortalClient['openLive']>>['client']> {
  const { client: live, viewerId } = await client.openLive(`bench-${index}`);
  live.on('message', (_topic, payload) => {
    const { changes } = JSON.parse(payload.toString()) as LiveMessage;
    for (const change of changes)
      if (change.kind === 'device-changed')
        for (const listener of listeners) listener(`${change.id} ${index}`);
  });
  await live.subscribeAsync(liveTopic(viewerId), { qos: 0 });
  const watch = { watches: [{ kind: 'devices', ids: deviceIds }, { kind: 'fleet' }] };
  await live.publishAsync(watchTopic(viewerId), JSON.stringify(watch), { qos: 0 });
  return live;
}

interface Round {
  readonly deviceId: string;
  readonly round: number;
  readonly listeners: Set<Listener>;
}

/** Milliseconds from the order until each subscriber heard of it. */
async function changeOnce(
  admin: PortalClient,
  { deviceId, round, listeners }: Round,
): Promise<number[]> {
  const heard = new Map<string, number>();
  const startedAt = performance.now();
  const listener: Listener = (who) => {
    if (who.startsWith(deviceId) && !heard.has(who)) heard.set(who, performance.now() - startedAt);
  };
  listeners.add(listener);
  await admin.mutate('devices.update', { id: deviceId, labels: { round: String(round) } });
  await sleep(ROUND_MS);
  listeners.delete(listener);
  return [...heard.values()];
}

function print(what: string, ms: number, limitMs?: number): void {
  const ratio =
    limitMs === undefined ? '' : `  ratio ${(ms / limitMs).toFixed(2)} of ${limitMs} ms`;
  process.stdout.write(`${what.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms${ratio}\n`);
}
