import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:https';
import { performance } from 'node:perf_hooks';
import { startEmbeddedPostgres } from '../../../apps/server/src/platform/database/embedded-postgres.ts';
import type { RunningProduct } from '../product.ts';
import { until } from '../until.ts';
import { connectAgents } from './connect-agents.ts';
import { openControlChannel, type ControlChannel } from './control-channel.ts';
import { createGroup } from './create-group.ts';
import { env, type MeshCentralPlace } from './meshcentral-place.ts';
import { runOnNodes } from './run-on-nodes.ts';
import { startMeshAgent } from './start-mesh-agent.ts';
import { storeNodes } from './store-nodes.ts';

const PAGE = 100;

export async function startMeshCentral(place: MeshCentralPlace): Promise<RunningProduct> {
  await using cleanup = new AsyncDisposableStack();
  const startedAt = performance.now();
  const databasePids = await startDatabase(cleanup, place);
  const pid = startServer(cleanup, place);
  await until(() => isHealthy(place.port), { what: 'MeshCentral ready' });
  const readyAfterMs = performance.now() - startedAt;
  let channel: Promise<ControlChannel> | undefined;
  const owned = cleanup.move();
  const control = (): Promise<ControlChannel> =>
    (channel ??= openControlChannel(place).then((opened) => owned.use(opened)));
  let nodeIds: readonly string[] = [];
  return {
    readyAfterMs,
    pids: [pid, ...databasePids],
    startAgent: async () => startMeshAgent(await control(), place),
    async connect(count) {
      nodeIds = await connectAgents(owned, await control(), { ...place, count });
    },
    tasks: { task: { run: async () => runOnNodes(await control(), nodeIds), runs: 3 } },
    async storeUpTo(count) {
      if (place.database === 'postgres')
        await storeNodes(place, await createGroup(await control()), count);
    },
    lists: place.database === 'postgres' ? listsOf(control) : {},
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const listsOf = (control: () => Promise<ControlChannel>): RunningProduct['lists'] => ({
  [`a page of ${PAGE}`]: () => ({
    read: async () => (await (await control()).listNodes(PAGE)).length,
    expected: PAGE,
  }),
  all: (stored) => ({
    read: async () => (await (await control()).listNodes()).length,
    expected: stored,
  }),
});

async function startDatabase(
  cleanup: AsyncDisposableStack,
  { database, dataDir }: MeshCentralPlace,
): Promise<readonly number[]> {
  if (database === 'nedb') return [];
  return [cleanup.use(await startEmbeddedPostgres({ dataDir })).pid];
}

/** It starts a process of its own for the work, which ends with it. */
function startServer(cleanup: AsyncDisposableStack, place: MeshCentralPlace): number {
  const child = spawn(process.execPath, place.command, {
    ...{ cwd: place.directory, env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cleanup.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    await until(async () => !(await isHealthy(place.port)), { what: 'end of MeshCentral' });
  });
  return child.pid ?? 0;
}

function isHealthy(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = { host: '127.0.0.1', port, path: '/health.ashx', rejectUnauthorized: false };
  get({ ...options, agent: false }, (answer) => {
    answer.resume();
    resolve(answer.statusCode === 200);
  }).on('error', () => resolve(false));
  return promise;
}
