import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { printRatio } from '../device-fixture.ts';
import { signInToPortal, type PortalClient } from '../support/portal-client.ts';
import { percentile, startPortalProcess } from '../support/portal-process.ts';

const DEVICES = 40;
const WEBHOOKS = 10;
const ROUNDS = 3;
/** Changes at the same time, and the pause after each, which the budget of a user's calls allows. */
const WRITERS = 2;
const PAUSE_MS = 100;
/** Shorter than the longest time for a response. */
const SLOW_MS = 9_000;
const CATCH_UP_MS = 120_000;
/** Median of a change with webhooks against one without. */
const DELAY_LIMIT = 1.25;

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly counts: { requests: number; events: number };
}

/**
 * Webhooks of a running server: deliveries per second from a backlog, and how much they delay changes, against the same
 * changes without webhooks in the same run. `node bench/webhooks/webhooks.ts --changes 1000 --seconds 10`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      changes: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '10' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'dp-bench-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const portal = resources.use(
    await startPortalProcess({
      ...{ dataDir, port, mqttPort },
      args: ['--no-agent', '--fleet', String(DEVICES)],
      env: {
        DEVICEPORTAL_ALERT_INTERNAL_HOSTS: '127.0.0.1',
        DEVICEPORTAL_AGENT_RHYTHM: 'off',
        DEVICEPORTAL_LOG_LEVEL: 'silent',
      },
    }),
  );
  const admin = await signInToPortal(portal.url, 'admin@deviceportal.local');
  const devices = await enrolled(admin);
  const fast = resources.use(await startReceiver(0));
  const slow = resources.use(await startReceiver(SLOW_MS));
  const webhooks = [await create(admin, slow.url)];
  for (let count = 1; count < WEBHOOKS; count += 1) webhooks.push(await create(admin, fast.url));
  await benchBacklog(admin, {
    devices,
    webhooks: webhooks.slice(1),
    fast,
    changes: Number(values.changes),
  });
  await benchDelay(admin, { devices, webhooks, seconds: Number(values.seconds) });
}

async function startReceiver(answersAfterMs: number): Promise<Receiver> {
  const counts = { requests: 0, events: 0 };
  const server = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { events?: readonly unknown[] } };
    if (answersAfterMs > 0) await sleep(answersAfterMs);
    counts.requests += 1;
    counts.events += data.events?.length ?? 0;
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    counts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Paused, so that it sends only when it is wanted. */
async function create(admin: PortalClient, url: string): Promise<string> {
  const made = (await admin.mutate('webhooks.create', {
    ...{ name: `Bench ${crypto.randomUUID()}`, url, eventTypes: ['device.changed'] },
  })) as { id: string };
  await admin.mutate('webhooks.pause', { id: made.id });
  return made.id;
}

async function enrolled(admin: PortalClient): Promise<readonly string[]> {
  for (;;) {
    const { rows } = (await admin.query('devices.list', { pageSize: 100 })) as {
      rows: { id: string }[];
    };
    if (rows.length >= DEVICES) return rows.slice(0, DEVICES).map(({ id }) => id);
    await sleep(500);
  }
}

const setAll = (admin: PortalClient, act: 'pause' | 'resume', ids: readonly string[]) =>
  Promise.all(ids.map((id) => admin.mutate(`webhooks.${act}`, { id })));

let changed = 0;

/** A change of a device with its audit event; each writer has devices of its own. @returns ms */
async function change(admin: PortalClient, devices: readonly string[], writer: number) {
  changed += 1;
  const own = devices.filter((_, index) => index % WRITERS === writer);
  const startedMs = performance.now();
  await admin.mutate('devices.update', {
    ...{ id: own[changed % own.length], hardwareRevision: `r${changed}` },
  });
  return performance.now() - startedMs;
}

async function write(
  admin: PortalClient,
  devices: readonly string[],
  hasMore: () => boolean,
): Promise<readonly number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (hasMore()) {
        times.push(await change(admin, devices, writer));
        await sleep(PAUSE_MS);
      }
    }),
  );
  return times;
}

async function benchBacklog(
  admin: PortalClient,
  {
    devices,
    webhooks,
    fast: { counts },
    changes,
  }: {
    readonly devices: readonly string[];
    readonly webhooks: readonly string[];
    readonly fast: Receiver;
    readonly changes: number;
  },
): Promise<void> {
  let left = changes;
  await write(admin, devices, () => left-- > 0);
  const before = { ...counts };
  const startedMs = performance.now();
  await setAll(admin, 'resume', webhooks);
  const wanted = before.events + changes * webhooks.length;
  while (counts.events < wanted) {
    if (performance.now() - startedMs > CATCH_UP_MS) throw new Error('events are missing');
    await sleep(20);
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const perSecond = (count: number): string => Math.round(count / seconds).toLocaleString('en');
  console.log(
    `${webhooks.length} webhooks, ${changes} changes: ${perSecond(counts.requests - before.requests)} deliveries/s, ${perSecond(counts.events - before.events)} events/s`,
  );
  await setAll(admin, 'pause', webhooks);
}

/** Rounds in turn, so that slow minutes of the machine are in all. */
async function benchDelay(
  admin: PortalClient,
  {
    devices,
    webhooks,
    seconds,
  }: {
    readonly devices: readonly string[];
    readonly webhooks: readonly string[];
    readonly seconds: number;
  },
): Promise<void> {
  const kinds = [
    { name: 'without webhooks', active: [] as readonly string[] },
    { name: 'one slow receiver', active: webhooks.slice(0, 1) },
    { name: `${webhooks.length} webhooks, one of a slow receiver`, active: webhooks },
  ].map((kind) => ({ ...kind, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { active, times } of kinds) {
      await setAll(admin, 'resume', active);
      const endsMs = performance.now() + seconds * 1_000;
      times.push(...(await write(admin, devices, () => performance.now() < endsMs)));
      await setAll(admin, 'pause', active);
    }
  const medians = kinds.map(({ times }) => percentile(times, 0.5));
  for (const [index, { name, times }] of kinds.entries())
    console.log(
      `${name}: ${Math.round(times.length / seconds / ROUNDS)} changes/s, median ${medians[index]?.toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    );
  const [quiet = Number.NaN, one = Number.NaN, all = Number.NaN] = medians;
  printRatio('a change with one slow receiver, to none', one / quiet, { atMost: DELAY_LIMIT });
  console.log(`a change with ${webhooks.length} webhooks, to none: ${(all / quiet).toFixed(2)}`);
}

await main();
