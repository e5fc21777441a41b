import { readdir, readFile } from 'node:fs/promises';

/**
 * Megabytes of these processes and their descendants: the sum of their proportional set sizes (PSS), which counts
 * memory that processes share once.
 */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const family = new Set<number>();
  for (const pid of pids) await addFamily(pid, family);
  const sizes = await Promise.all([...family].map(pssOf));
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1_024;
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

/** proc_pid_smaps(5). A process that has ended has none. */
async function pssOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}
