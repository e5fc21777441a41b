import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { openTempDir, printRatio } from '../device-fixture.ts';
import { percentile, startPortalProcess } from '../support/portal-process.ts';

const LIMIT_MS = 1_200;
/** Enrolls about 100 devices a second. */
const ENROLL_MS_EACH = 10;

/**
 * Time to ready of an installation whose devices are enrolled, in rounds: after the server ended as asked, and after
 * kill -9, which ends the database without a checkpoint. `--devices 5000 --rounds 5`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const installation = {
    dataDir: await openTempDir(resources),
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
  };
  const fleet = ['--fleet', values.devices, '--no-agent'];
  const first = await startPortalProcess({ ...installation, args: fleet });
  console.log(`first start ${first.readyAfterMs.toFixed(0)} ms`);
  await sleep(Number(values.devices) * ENROLL_MS_EACH);
  await first[Symbol.asyncDispose]();

  const ended: number[] = [];
  const killed: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const portal = await startPortalProcess(installation);
    ended.push(portal.readyAfterMs);
    const exit = once(portal.process, 'exit');
    portal.process.kill('SIGKILL');
    await exit;
    const next = await startPortalProcess(installation);
    killed.push(next.readyAfterMs);
    await next[Symbol.asyncDispose]();
  }
  report('second start', ended);
  report('start after kill -9', killed);
}

function report(name: string, times: number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const median = percentile(sorted, 0.5);
  console.log(`${name}: ${sorted.map((time) => time.toFixed(0)).join(', ')} ms`);
  printRatio(`${name}, median, share of ${LIMIT_MS} ms`, median / LIMIT_MS, { atMost: 1 });
}

await main();
