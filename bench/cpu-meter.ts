import { readFile } from 'node:fs/promises';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import type { Load } from './device-bed.ts';

/** Milliseconds of processor time, by who spent them. `server` is this process with the broker's thread. */
export interface CpuTimes {
  readonly server: number;
  readonly load: number;
  /** All processes of the database; NaN where there is no /proc. */
  readonly database: number;
}

/** Clock ticks of /proc/PID/stat; 100 a second on every Linux that Node runs on (proc_pid_stat(5)). */
const MS_PER_TICK = 10;

/** Wall time on a busy machine says more about its other guests than about the code: this says what work was done. */
export async function readCpu(database: Pick<Database, 'pool'>, load: Load): Promise<CpuTimes> {
  const { user, system } = process.cpuUsage();
  const [{ ms }, databaseMs] = await Promise.all([
    load.ask({ kind: 'read-cpu' }, 'cpu'),
    databaseCpu(database),
  ]);
  return { server: (user + system) / 1_000, load: ms, database: databaseMs };
}

export const cpuBetween = (before: CpuTimes, after: CpuTimes): CpuTimes => ({
  server: after.server - before.server,
  load: after.load - before.load,
  database: after.database - before.database,
});

export const describeCpu = (times: CpuTimes): string =>
  Object.entries(times)
    .map(([who, ms]) => `${who} ${ms.toFixed(0)}`)
    .join(', ');

async function databaseCpu({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity');
  const times = await Promise.all(rows.map(({ pid }) => processCpu(pid)));
  return times.reduce((sum, ms) => sum + ms, 0);
}

/** Milliseconds of processor time that a process has had; 0 for one that is gone. */
export async function processCpu(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return 0;
  // The command's name may hold spaces: fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
