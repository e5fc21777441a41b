import { readFile } from 'node:fs/promises';
import { processCpu } from '../cpu-meter.ts';

/** CPU time in milliseconds of a process, its running children, and its ended ones. */
export async function familyCpu(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Fields 16 and 17 of proc_pid_stat(5), in clock ticks of 10 ms, counted after the command name.
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  const running = await Promise.all(
    [pid, ...children.split(' ').filter(Boolean).map(Number)].map((each) => processCpu(each)),
  );
  return running.reduce((sum, ms) => sum + ms, ended);
}

export const residentBytes = async (pid: number): Promise<number> =>
  (await statusOf(pid, 'VmRSS')) * 1_024;

/** How often the main thread of a process has waited for something to do. */
export const timesWaited = (pid: number): Promise<number> =>
  statusOf(pid, 'voluntary_ctxt_switches');

/** A line of proc_pid_status(5). */
async function statusOf(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
