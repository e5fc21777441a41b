import { readdir, readFile } from 'node:fs/promises';

/**
 * Megabytes of these processes and their descendants: the sum of their proportional set sizes (PSS), which counts
 * memory that processes share once.
 */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const family = new Set<number>();
  for (const pid of pids) await addFamily(pid, family);
  const sizes = await Promise.all([...family].map(memoryOfOne));
  return sizes.reduce((sum, megabytes) => sum + megabytes, 0);
}

async function addFamily(pid: number, family: Set<number>): Promise<void> {
  if (family.has(pid)) return;
  family.add(pid);
  // Each thread has children of its own.
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) await addFamily(Number(child), family);
  }
}

/** Megabytes of a process without its descendants (proc_pid_smaps(5)). A process that has ended has none. */
export async function memoryOfOne(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1_024;
}
