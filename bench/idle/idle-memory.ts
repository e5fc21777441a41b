import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { openTempDir, printRatio } from '../device-fixture.ts';
import { memoryOf, memoryOfOne } from '../support/process-memory.ts';
import { startPortalProcess } from '../support/portal-process.ts';

const LIMIT_MB = 350;

/**
 * Memory of an idle installation with 200 connected devices: the server with its broker, and its database, after a
 * second start. The simulated devices do not count. `--devices 200 --settle 60`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '200' },
      settle: { type: 'string', default: '60' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const start = {
    dataDir: await openTempDir(resources),
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
    args: ['--fleet', values.devices, '--no-agent'],
  };
  const settleMs = Number(values.settle) * 1_000;
  // The first start enrolls the devices, which is not idle.
  const first = await startPortalProcess(start);
  await sleep(settleMs);
  await first[Symbol.asyncDispose]();
  const portal = resources.use(await startPortalProcess(start));
  await sleep(settleMs);
  const server = await memoryOfOne(portal.process.pid ?? 0);
  const database = await memoryOf([await postmasterOf(start.dataDir)]);
  console.log(`server with broker ${server.toFixed(0)} MB, database ${database.toFixed(0)} MB`);
  printRatio('MB of memory', server + database, { atMost: LIMIT_MB });
}

/** The first line of the file is the process ID of the database server. */
async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n', 1)[0]);
}

await main();
