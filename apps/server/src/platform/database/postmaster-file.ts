import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Content of PostgreSQL's `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketDir: string;
}

/**
 * Line 1 is the process ID, line 5 the socket folder (PostgreSQL: `src/include/utils/pidfile.h`).
 */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  let text: string;
  try {
    text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const socketDir = lines[4]?.trim();
  return Number.isInteger(pid) && pid > 1 && socketDir ? { pid, socketDir } : undefined;
}

/** Whether the process is running and is PostgreSQL. Process IDs are reused after a reboot. */
export async function isPostgresProcess(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return /^Name:\s+postgres/m.test(status) && !/^State:\s+Z/m.test(status);
  } catch {
    return false;
  }
}
