import { readFile } from 'node:fs/promises';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import type { Load } from './device-fixture.ts';

/** Milliseconds of CPU time by process. `server` is this process including the broker's thread. */
export interface CpuTimes {
  readonly server: number;
  readonly load: number;
  /** All processes of the database, with those that have ended; NaN without /proc. */
  readonly database: number;
}

/**
 * Clock ticks of /proc/PID/stat: 100 per second on every Linux that Node supports
 * (proc_pid_stat(5)).
 */
const MS_PER_TICK = 10;

/** Reads CPU time, because wall time on a shared machine depends on other processes. */
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
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = await parentOf(rows[0]?.pid ?? 0);
  return parent === null ? Number.NaN : familyCpu(parent);
}

/** Null without /proc. */
async function parentOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1];
  return parent === undefined ? null : Number(parent);
}

/** CPU time of a process in milliseconds; 0 if it has exited. */
export async function processCpu(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return 0;
  // The command name can contain spaces, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** CPU time in milliseconds of a process, its running children, and its ended ones. */
export async function familyCpu(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Fields 16 and 17 of proc_pid_stat(5), in clock ticks of 10 ms, counted after the command name.
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
  const running = await Promise.all(
    [pid, ...children.split(' ').filter(Boolean).map(Number)].map((each) => processCpu(each)),
  );
  return running.reduce((sum, ms) => sum + ms, ended);
}
