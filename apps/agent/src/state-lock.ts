/** One agent per state directory: two would throw each other off the broker and write one journal. */

import { execFile } from 'node:child_process';
import { readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEFAULT_WAIT_MS = 5_000;
const POLL_MS = 100;

/** The process id of the agent that runs on this directory, or null. */
export async function runningAgentPid(stateDirectory: string): Promise<number | null> {
  const text = await readFile(join(stateDirectory, 'agent.pid'), 'utf8').catch(() => '');
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return null;
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  // Process ids are used again: the name must fit, too.
  const listed = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
  return listed && !/agent/.test(listed.stdout) ? null : pid;
}

/** Waits a moment for another one that is about to end, as after a kill of the program that started it. */
export async function lockState(
  stateDirectory: string,
  waitMs = DEFAULT_WAIT_MS,
): Promise<AsyncDisposable> {
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const endMs = performance.now() + waitMs;
  let other = await runningAgentPid(stateDirectory);
  while (other !== null) {
    if (performance.now() > endMs) {
      throw new Error(`an agent already runs on ${stateDirectory} (process ${other})`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
    other = await runningAgentPid(stateDirectory);
  }
  const path = join(stateDirectory, 'agent.pid');
  await writeFile(path, String(process.pid), { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
