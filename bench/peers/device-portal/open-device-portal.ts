import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { findFreePort } from '../../../apps/server/src/platform/http/find-free-port.ts';
import { openTempDir } from '../../device-fixture.ts';
import { startPortalProcess } from '../../support/portal-process.ts';
import { run } from '../install-peer.ts';
import type { Product, RunningProduct } from '../product.ts';
import { connectDevices } from './connect-devices.ts';
import { listAll, listPage } from './list-devices.ts';
import { openPage, type OpenPage } from './open-page.ts';
import type { PortalPlace } from './portal-place.ts';
import { runOnConnected } from './run-on-connected.ts';
import { startAgent } from './start-agent.ts';
import { storeCrowd } from './store-crowd.ts';

const ADMINISTRATOR = 'bench@portal.example';
const adminCommand = join(import.meta.dirname, '../../../apps/server/src/cli/admin-command.ts');

/** In production mode, with its embedded PostgreSQL and broker, and the cache of compiled code that `npm start` sets. */
const env = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compiled'),
  NODE_ENV: 'production',
  DEVICEPORTAL_PUBLIC_URL: 'https://portal.example',
  DEVICEPORTAL_MESSENGER: 'outbox',
  DEVICEPORTAL_SIGN_IN_LIMITS: 'on',
};

export async function openDevicePortal(resources: AsyncDisposableStack): Promise<Product> {
  const dataDir = await openTempDir(resources);
  const port = await findFreePort('127.0.0.1');
  const mqttPort = await findFreePort('127.0.0.1');
  return {
    name: 'Device Portal',
    async prepare() {
      await run(process.execPath, [adminCommand, 'create', ADMINISTRATOR, '--data-dir', dataDir], {
        env: { ...process.env, ...env },
      });
    },
    start: async () => startRunning({ dataDir, port, mqttPort }),
  };
}

async function startRunning(place: PortalPlace): Promise<RunningProduct> {
  await using cleanup = new AsyncDisposableStack();
  const portal = cleanup.use(await startPortalProcess({ ...place, env }));
  const owned = cleanup.move();
  let opened: Promise<OpenPage> | undefined;
  const page = (): Promise<OpenPage> =>
    (opened ??= openPage(portal.url, ADMINISTRATOR).then((open) => owned.use(open)));
  return {
    readyAfterMs: portal.readyAfterMs,
    pids: [portal.process.pid ?? 0, await databasePid(place)],
    startAgent: async () => startAgent(await page(), { ...place, url: portal.url }),
    connect: (count) => connectDevices(owned, place, count),
    tasks: { task: { run: async () => runOnConnected(await page()), runs: 3 } },
    storeUpTo: (count) => storeCrowd(place, count),
    lists: {
      'a page of 100': () => ({ read: async () => listPage((await page()).client), expected: 100 }),
      all: (stored) => ({ read: async () => listAll((await page()).client), expected: stored }),
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function databasePid({ dataDir }: PortalPlace): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return Number.parseInt(file, 10);
}
