import { readFile } from 'node:fs/promises';

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
