import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { familyCpu } from '../cpu-meter.ts';
import type { Load } from '../device-fixture.ts';
import type { ServerReading } from '../overload/watch-server.ts';

export interface LoadMeter {
  /**
   * Prints how much of a core each process has used since the start, and how long the event loops of server and users
   * were busy: what a call waits for without costing it.
   */
  readonly print: () => Promise<void>;
}

interface Measured {
  /** Watched by `overload/watch-server.ts`. */
  readonly server: ChildProcess;
  readonly databasePid: number;
  readonly load: Load;
}

export async function startLoadMeter({ server, databasePid, load }: Measured): Promise<LoadMeter> {
  const read = async () => ({
    server: await familyCpu(server.pid ?? 0),
    database: await familyCpu(databasePid),
    devices: (await load.ask({ kind: 'read-cpu' }, 'cpu')).ms,
    machine: machineCpu(),
    users: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await readServer(server);
  const [startedAt, before] = [performance.now(), await read()];
  return {
    async print() {
      const [after, ms] = [await read(), performance.now() - startedAt];
      const cores = Object.entries(after).map(
        ([who, cpu]) => `${who} ${((cpu - before[who as keyof typeof before]) / ms).toFixed(2)}`,
      );
      const { delayP99, delayMax } = await readServer(server);
      console.log(`cores used: ${cores.join(', ')}`);
      console.log(
        `event loop delay, p99 and max in ms: server ${delayP99.toFixed(0)} and ${delayMax.toFixed(0)}, ` +
          `users ${(delay.percentile(99) / 1e6 - 5).toFixed(0)} and ${(delay.max / 1e6 - 5).toFixed(0)}`,
      );
    },
  };
}

/** Milliseconds that all processes of the machine have used. */
function machineCpu(): number {
  const cpus = os.cpus();
  return cpus.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

async function readServer(server: ChildProcess): Promise<ServerReading> {
  const answer = once(server, 'message');
  server.send('read');
  const [reading] = (await answer) as [ServerReading];
  return reading;
}
