/**
 * Time from the click to the first output line on a connected device, over the live channel, and
 * from a second start to ready. `npm run bench:first-line`
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { percentile, startPortalProcess } from './support/portal-process.ts';
import { signInToPortal, type PortalClient } from './support/portal-client.ts';

const RUNS = 60;
/** Runs while the server is new and its fleet is connecting; reported separately. */
const FIRST_RUNS = 6;
const FIRST_LINE_LIMIT_MS = 300;
const START_LIMIT_MS = 3_000;

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
const start = {
  dataDir,
  port: await findFreePort('127.0.0.1'),
  mqttPort: await findFreePort('127.0.0.1'),
};
try {
  const first = await startPortalProcess(start);
  print('first start to ready', first.readyAfterMs);
  await measureFirstLines(first.url);
  await first[Symbol.asyncDispose]();

  const second = await startPortalProcess(start);
  print('second start to ready', second.readyAfterMs, START_LIMIT_MS);
  const killed = once(second.process, 'exit');
  second.process.kill('SIGKILL');
  await killed;

  await using third = await startPortalProcess(start);
  print('start after kill -9 to ready', third.readyAfterMs, START_LIMIT_MS);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function measureFirstLines(url: string): Promise<void> {
  const client = await signInToPortal(url, 'admin@deviceportal.local');
  const deviceId = await connectedAgent(client);
  const { client: live, viewerId } = await client.openLive();
  await live.subscribeAsync(liveTopic(viewerId), { qos: 0 });
  const times: number[] = [];
  for (let run = 0; run < FIRST_RUNS + RUNS; run += 1)
    times.push(await firstLine({ client, live, viewerId, deviceId }));
  await live.endAsync();
  const early = times.splice(0, FIRST_RUNS);
  print('click to first output line, just started', Math.max(...early));
  print('click to first output line, median', percentile(times, 0.5));
  print('click to first output line, p95', percentile(times, 0.95), FIRST_LINE_LIMIT_MS);
}

interface FirstLineSurroundings {
  readonly client: PortalClient;
  readonly live: Awaited<ReturnType<PortalClient['openLive']>>['client'];
  readonly viewerId: string;
  readonly deviceId: string;
}

async function firstLine({
  client,
  live,
  viewerId,
  deviceId,
}: FirstLineSurroundings): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  // As the screen does: shows output immediately, and fetches missing output after a change.
  let invocationId: string | undefined;
  const ask = async (): Promise<void> => {
    if (invocationId === undefined) return;
    const invocation = (await client.query('commands.getInvocation', { id: invocationId })) as {
      stdout: { text: string };
    };
    if (invocation.stdout.text !== '') resolve(performance.now());
  };
  const onMessage = (_topic: string, payload: Buffer): void => {
    const { changes } = JSON.parse(payload.toString()) as { changes: { kind: string }[] };
    if (changes.some(({ kind }) => kind === 'output')) resolve(performance.now());
    else if (changes.some(({ kind }) => kind === 'invocation')) void ask();
  };
  live.on('message', onMessage);
  const clickedAt = performance.now();
  const run = (await client.mutate('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [deviceId] },
    parameters: { script: 'echo first; sleep 0.3; echo second' },
    idempotencyKey: crypto.randomUUID(),
  })) as { invocationId: string };
  invocationId = run.invocationId;
  const watch = { watches: [{ kind: 'invocation', id: invocationId }] };
  await live.publishAsync(watchTopic(viewerId), JSON.stringify(watch), { qos: 0 });
  void ask();
  const seenAt = await promise;
  live.off('message', onMessage);
  await sleep(500);
  return seenAt - clickedAt;
}

async function connectedAgent(client: PortalClient): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const page = (await client.query('devices.list', {
      filter: { tokens: [{ key: 'label', operator: '=', values: ['role:this-machine'] }] },
    })) as { rows: { id: string; connectivity: string }[] };
    const agent = page.rows.find(({ connectivity }) => connectivity === 'online');
    if (agent) return agent.id;
    await sleep(100);
  }
  throw new Error('the agent of this machine did not connect');
}

function print(what: string, ms: number, limitMs?: number): void {
  const ratio =
    limitMs === undefined ? '' : `  ratio ${(ms / limitMs).toFixed(2)} of ${limitMs} ms`;
  process.stdout.write(`${what.padEnd(40)} ${ms.toFixed(0).padStart(6)} ms${ratio}\n`);
}
