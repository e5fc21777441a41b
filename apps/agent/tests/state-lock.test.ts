import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockState, runningAgentPid } from '../src/state-lock.ts';
import type { LockAnswer, LockOrder } from './support/lock-process.ts';

const ROUNDS = 10;
let root = '';
const started: ChildProcess[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agent-state-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

async function startProcess(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'support/lock-process.ts'));
  started.push(child);
  await once(child, 'message');
  return child;
}

/** A directory on which an agent was killed. */
async function leftDirectory(): Promise<string> {
  const directory = await mkdtemp(join(root, 'state-'));
  await writeFile(join(directory, 'agent.pid'), '99999999');
  return directory;
}

const holdersOf = (answers: readonly LockAnswer[], directory: string): number =>
  answers.filter((answer) => answer.directory === directory && answer.refusal === null).length;

it(
  'if two agents start at the same time after a crash, only one runs',
  { timeout: 20_000 },
  async () => {
    const children = await Promise.all([startProcess(), startProcess()]);
    const answers: LockAnswer[] = [];
    for (const child of children)
      child.on('message', (answer) => answers.push(answer as LockAnswer));
    for (let round = 0; round < ROUNDS; round += 1) {
      const directory = await leftDirectory();
      const order: LockOrder = { directory, atMs: Date.now() + 20 };
      for (const child of children) child.send(order);
      await expect
        .poll(() => holdersOf(answers, directory), { interval: 5, timeout: 2_000 })
        .toBe(1);
      await sleep(30);
      expect(holdersOf(answers, directory)).toBe(1);
    }
    await expect.poll(() => answers.length, { timeout: 3_000 }).toBe(2 * ROUNDS);
    const refusals = answers.flatMap(({ refusal }) => refusal ?? []);
    expect(refusals).toHaveLength(ROUNDS);
    for (const refusal of refusals) expect(refusal).toMatch(/^another agent is using .*PID \d+/);
  },
);

it('a killed agent releases the directory immediately and leaves no file', async () => {
  const directory = await leftDirectory();
  const killed = await startProcess();
  killed.send({ directory, atMs: 0 } satisfies LockOrder);
  await once(killed, 'message');
  expect(await runningAgentPid(directory)).toBe(killed.pid);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const startedAtMs = performance.now();
  await using _lock = await lockState(directory);
  expect(performance.now() - startedAtMs).toBeLessThan(500);
  expect(await readdir(directory)).toEqual([`agent-${process.pid}.pid`]);
});

it('the process ID of another program is not an agent', async () => {
  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: 'ignore' });
  started.push(other);
  await writeFile(join(root, `agent-${other.pid}.pid`), '');
  expect(await runningAgentPid(root)).toBeNull();
});
