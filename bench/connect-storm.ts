import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPersonalKeys } from '../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { familyCpu } from './cpu-meter.ts';
import { storeDevices } from './capacity/store-devices.ts';
import {
  createFleet,
  openTempDir,
  printRatio,
  startLoad,
  type BenchFleet,
} from './device-fixture.ts';
import { openDesk, type Desk } from './overload/desk.ts';
import { signInToPortal } from './support/portal-client.ts';
import { percentile, startPortalProcess, type PortalProcess } from './support/portal-process.ts';

/** From the death of the server until all devices are online again. */
const ONLINE_LIMIT_S = 60;
/** Response times of users during the storm against those of a quiet fleet. */
const DESK_LIMIT = 2;
const QUIET_MS = 20_000;
const SHIFT_MS = 2_000;
/** Each has about 28,000 ports, and a limit of connections. */
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`);
/** Handshakes in progress, as many as the load process can have without timeouts of its own. */
const AT_ONCE = 500;
const RETRY_MS = 2_000;

/**
 * A server with its broker is killed while all devices are connected over TLS and twenty users work, and is started
 * again: the time until all devices are online, and response times until then. Needs as many open files as devices.
 * `--devices 18000 --rounds 5`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '18000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const installation = await startInstallation(resources, Number(values.devices));
  const { start, connect, database, databasePid, devices } = installation;
  let portal = await start();
  const admin = await signInToPortal(portal.url, 'admin@deviceportal.local');
  let load = await connect();
  await untilOnlineAgain(database, devices);
  const desk = await openDesk({ url: portal.url, mqttPort: 0, tokens: {} }, admin);
  await desk.work(QUIET_MS);
  const rounds: { readonly seconds: number; readonly ratio: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const quiet = percentile((await desk.work(QUIET_MS)).times, 0.99);
    await database.pool.query(
      'truncate storm_before; insert into storm_before select device_id, connection_id from device_status',
    );
    const killedAt = performance.now();
    portal.process.kill('SIGKILL');
    portal = await start();
    const readyAfter = performance.now() - killedAt;
    const before = load;
    const storm = { isOver: false };
    const cpu = await readStormCpu(portal, databasePid);
    const [times] = await Promise.all([
      workDuring(desk, storm),
      (async () => {
        await before[Symbol.asyncDispose]();
        load = await connect();
        await untilOnlineAgain(database, devices);
        storm.isOver = true;
      })(),
    ]);
    const after = await readStormCpu(portal, databasePid);
    const { ms: devicesMs } = await load.ask({ kind: 'read-cpu' }, 'cpu');
    const seconds = (performance.now() - killedAt) / 1_000;
    const during = percentile(times, 0.99);
    rounds.push({ seconds, ratio: during / quiet });
    console.log(
      `ready after ${(readyAfter / 1_000).toFixed(1)} s, all online after ${seconds.toFixed(1)} s; ` +
        `desk p99 ${quiet.toFixed(0)} -> ${during.toFixed(0)} ms of ${times.length} calls`,
    );
    console.log(
      `processor time in s: devices ${inSeconds(devicesMs)}, server ${inSeconds(after.server - cpu.server)}, ` +
        `database ${inSeconds(after.database - cpu.database)}, users ${inSeconds(after.users - cpu.users)}`,
    );
  }
  await load[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
  const middle = (of: readonly number[]): number => percentile(of, 0.5);
  printRatio(
    `${devices} devices online again, share of ${ONLINE_LIMIT_S} s`,
    middle(rounds.map(({ seconds }) => seconds)) / ONLINE_LIMIT_S,
    { atMost: 1 },
  );
  printRatio('desk p99 during the storm', middle(rounds.map(({ ratio }) => ratio)), {
    atMost: DESK_LIMIT,
  });
}

async function startInstallation(resources: AsyncDisposableStack, devices: number) {
  const dataDir = await openTempDir(resources);
  const cluster = resources.use(await startEmbeddedPostgres({ dataDir }));
  const fleet = await createFleet(dataDir, devices);
  const database = resources.use(openDatabase({ url: cluster.url, maxConnections: 2 }));
  openPersonalKeys(database, new Uint8Array(32));
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const start = (): Promise<PortalProcess> =>
    startPortalProcess({
      ...{ dataDir, port, mqttPort },
      args: ['--no-agent', '--fleet', '0'],
      env: {
        DEVICEPORTAL_DATABASE_URL: cluster.runtimeUrl,
        DEVICEPORTAL_DATABASE_OWNER_URL: cluster.url,
        DEVICEPORTAL_LOG_LEVEL: 'error',
      },
    });
  await (await start())[Symbol.asyncDispose]();
  await storeDevices(database, { devices: fleet.devices, seed: 'storm' });
  await database.pool.query(
    'create table storm_before (device_id uuid primary key, connection_id uuid)',
  );
  const connect = () => connectFleet(fleet, mqttPort);
  return { database, databasePid: cluster.pid, start, connect, devices };
}

async function connectFleet({ authority, key, devices }: BenchFleet, mqttPort: number) {
  const load = startLoad();
  const { count } = await load.ask(
    {
      kind: 'connect',
      brokerUrls: [`mqtts://127.0.0.1:${mqttPort}`],
      authorities: authority.authorities,
      ...{ key, devices, localAddresses: ADDRESSES, atOnce: AT_ONCE, retryMs: RETRY_MS },
    },
    'connected',
  );
  if (count !== devices.length) throw new Error(`${count} of ${devices.length} connected`);
  return load;
}

/** Until every device is online by a connection that it did not have before. */
async function untilOnlineAgain({ pool }: Database, devices: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ online: number }>(
      `select count(*)::int as online from device_status left join storm_before before using (device_id)
       where connectivity = 'online' and device_status.connection_id is distinct from before.connection_id`,
    );
    if (rows[0]?.online === devices) return;
    await sleep(500);
  }
}

/** Milliseconds that the processes have used since they started. */
async function readStormCpu({ process: server }: PortalProcess, databasePid: number) {
  const { user, system } = process.cpuUsage();
  return {
    server: await familyCpu(server.pid ?? 0),
    database: await familyCpu(databasePid),
    users: (user + system) / 1_000,
  };
}

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(0);

async function workDuring(desk: Desk, storm: { readonly isOver: boolean }): Promise<number[]> {
  const times: number[] = [];
  while (!storm.isOver) {
    const shift = await desk.work(SHIFT_MS);
    for (const failure of new Set(shift.failures)) console.log(`failed at the desk: ${failure}`);
    times.push(...shift.times);
  }
  return times;
}

await main();
