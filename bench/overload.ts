/**
 * Runs each attack of `overload/attacks.ts` during the work of twenty users and 5,000 devices: the
 * server's event loop, memory, and the users' response times, with and without the attack. `npm run
 * bench:overload [-- --attack TEXT --seconds 15]`
 */

import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { processCpu } from './cpu-meter.ts';
import type { FromAttacker, ToAttacker } from './overload/attacker.ts';
import { attacks, INSIDERS, type Target } from './overload/attacks.ts';
import { openDesk, type Desk, type DeskShift } from './overload/desk.ts';
import type { ServerReading } from './overload/watch-server.ts';
import { obtainIdToken, openPortal } from './support/portal-client.ts';
import { percentile, startPortalProcess } from './support/portal-process.ts';

const DELAY_LIMIT_MS = 200;
const DESK_LIMIT = 2;
const MEMORY_BACK_WITHIN_MS = 60_000;
/** MiB by which a collected heap varies. */
const MEMORY_SLACK = 64;

const { values } = parseArgs({
  options: {
    attack: { type: 'string', default: '' },
    seconds: { type: 'string', default: '15' },
    fleet: { type: 'string', default: '5000' },
  },
});
const shiftMs = Number(values.seconds) * 1_000;

const dataDir = await mkdtemp(join(tmpdir(), 'dp-bench-'));
try {
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  await using portal = await startPortalProcess({
    ...{ dataDir, port, mqttPort },
    args: ['--no-agent', '--fleet', values.fleet],
    env: {
      DEVICEPORTAL_TRUST_PROXY: '127.0.0.0/8',
      DEVICEPORTAL_SIGN_IN_LIMITS: 'on',
      DEVICEPORTAL_LOG_LEVEL: 'silent',
    },
    preload: new URL('overload/watch-server.ts', import.meta.url).href,
  });
  const signingIn = ['admin', ...INSIDERS].map(
    async (name) => [name, await obtainIdToken(portal.url, `${name}@deviceportal.local`)] as const,
  );
  const tokens = Object.fromEntries(await Promise.all(signingIn));
  const target = { url: portal.url, mqttPort, tokens };
  const desk = await openDesk(target, openPortal(portal.url, tokens['admin'] ?? ''));
  await desk.work(shiftMs);
  for (const name of Object.keys(attacks))
    if (new RegExp(values.attack).test(name))
      await measure(name, { target, desk, server: portal.process });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

interface Setup {
  readonly target: Target;
  readonly desk: Desk;
  readonly server: ChildProcess;
}

async function measure(name: string, { target, desk, server }: Setup): Promise<void> {
  const attacker = await startAttacker(name, target);
  await read(server);
  const quiet = await desk.work(shiftMs);
  const before = await read(server);
  attacker.child.send({ kind: 'begin' } satisfies ToAttacker);
  const [startedAt, cpuBefore] = [performance.now(), await processCpu(server.pid ?? 0)];
  const shift = await desk.work(shiftMs);
  const during = await read(server);
  const seconds = (performance.now() - startedAt) / 1_000;
  const serverCpu = (await processCpu(server.pid ?? 0)) - cpuBefore;
  const attacked = await attacker.end();
  const backAfter = await waitForMemory(server, before.memory + MEMORY_SLACK);
  const ratio = percentile(shift.times, 0.99) / percentile(quiet.times, 0.99);
  const share = (ms: number): string =>
    `${((100 * ms) / (seconds * 1_000 * availableParallelism())).toFixed(0)} %`;
  const faults = [
    during.delayP99 > DELAY_LIMIT_MS && 'event loop',
    ratio > DESK_LIMIT && 'desk',
    backAfter === null && 'memory',
    shift.failures.length > 0 && 'failures',
  ].filter((fault) => fault !== false);
  console.log(`${name} (${attacks[name]?.by})`);
  console.log(
    `  tries ${(attacked.tries / seconds).toFixed(0)}/s, ${attacked.refused} of ${attacked.tries} refused; processor: attacker ${share(attacked.cpuMs)}, server ${share(serverCpu)}`,
  );
  console.log(
    `  event loop p99 ${before.delayP99.toFixed(0)} -> ${during.delayP99.toFixed(0)} ms (limit ${DELAY_LIMIT_MS}), worst ${during.delayMax.toFixed(0)} ms`,
  );
  console.log(
    `  desk ${describe(quiet)} -> ${describe(shift)}, ratio ${ratio.toFixed(2)} (limit ${DESK_LIMIT})`,
  );
  console.log(
    `  memory ${before.memory.toFixed(0)} -> ${during.memory.toFixed(0)} MiB, back after ${backAfter === null ? 'more than 60' : (backAfter / 1_000).toFixed(0)} s`,
  );
  for (const failure of new Set(shift.failures)) console.log(`  FAILED at the desk: ${failure}`);
  console.log(faults.length === 0 ? '  held' : `  NOT HELD: ${faults.join(', ')}`);
  if (faults.length > 0) process.exitCode = 1;
}

function describe({ times }: DeskShift): string {
  const [middle, late] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(0));
  return `median ${middle}, p99 ${late} ms of ${times.length}`;
}

function read(server: ChildProcess): Promise<ServerReading> {
  return new Promise((resolve) => {
    server.once('message', (reading) => resolve(reading as ServerReading));
    server.send('read');
  });
}

/** Milliseconds until the server's memory is below this; null after the timeout. */
async function waitForMemory(server: ChildProcess, mebibytes: number): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < MEMORY_BACK_WITHIN_MS) {
    if ((await read(server)).memory <= mebibytes) return performance.now() - startedAt;
    await sleep(1_000);
  }
  return null;
}

type Ended = Extract<FromAttacker, { kind: 'ended' }>;

async function startAttacker(attack: string, target: Target) {
  const child = fork(new URL('overload/attacker.ts', import.meta.url));
  const hear = <Kind extends FromAttacker['kind']>(kind: Kind) =>
    new Promise<Extract<FromAttacker, { kind: Kind }>>((resolve, reject) => {
      child.once('message', (message: FromAttacker) => {
        if (message.kind === kind) resolve(message as never);
        else reject(new Error(`${attack}: ${JSON.stringify(message)}`));
      });
    });
  const prepared = hear('prepared');
  child.send({ kind: 'prepare', attack, target } satisfies ToAttacker);
  await prepared;
  return {
    child,
    end(): Promise<Ended> {
      const ended = hear('ended');
      child.send({ kind: 'end' } satisfies ToAttacker);
      return ended;
    },
  };
}
