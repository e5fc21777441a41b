import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Process IDs and start times of the processes that the service manager (PID 1) started, by name. */
export type Services = ReadonlyMap<string, ReadonlySet<string>>;

const MOST_PROCESSES = 5_000;
/** Fields of /proc/[pid]/stat after the name, which is in parentheses (proc(5)). */
const PARENT = 1;
const STARTED = 19;

export async function readServices(proc: string): Promise<Services | undefined> {
  const names = await readdir(proc).catch(() => undefined);
  const ids = names?.filter((name) => /^\d+$/.test(name)).slice(0, MOST_PROCESSES);
  if (ids === undefined || ids.length === 0) return undefined;
  const services = new Map<string, Set<string>>();
  for (const id of ids) {
    const stat = await readFile(join(proc, id, 'stat'), 'utf8').catch(() => '');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    if (end < 0 || fields[PARENT] !== '1') continue;
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const known = services.get(name) ?? new Set();
    services.set(name, known.add(`${id}/${fields[STARTED]}`));
  }
  return services;
}

/** Processes that ended and were replaced by another one of the same name. */
export function countRestarts(before: Services, now: Services): number {
  let count = 0;
  for (const [name, processes] of now) {
    const earlier = before.get(name);
    if (earlier === undefined) continue;
    const fresh = [...processes].filter((process) => !earlier.has(process)).length;
    const ended = [...earlier].filter((process) => !processes.has(process)).length;
    count += Math.min(fresh, ended);
  }
  return count;
}
