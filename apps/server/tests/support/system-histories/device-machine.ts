import { CHANGE_LOCK_QUIET_MS } from '@deviceportal/contract/change-locks';
import type { Machine, ShellJob, ShellOutcome } from '../../../../agent/src/machine/machine.ts';
import type { ScriptEnd } from './history.ts';

interface Process {
  readonly invocationId: string;
  readonly startedAtMs: number;
  readonly ended: Promise<number | null>;
  readonly end: (exitCode: number | null) => void;
  isOver: boolean;
}

/** A machine whose scripts end when the history says so, and which counts their starts. */
export class DeviceMachine implements Machine {
  readonly platformType = 'Linux';
  readonly keepsProcesses: boolean;
  /** Number of starts of each script, by command, step, and attempt. */
  readonly begun = new Map<string, number>();
  /** The user whose command changes the device, by invocation; absent for read-only commands. */
  readonly holders = new Map<string, string>();
  /** Commands of different users that changed the device at the same time. */
  readonly collisions: unknown[] = [];
  readonly #scripts: readonly ScriptEnd[];
  readonly #now: () => number;
  readonly #processes = new Map<string, Process>();
  #life = 0;
  #isFinishing = false;
  #next = 0;

  constructor(
    { scripts, keepsProcesses }: { scripts: readonly ScriptEnd[]; keepsProcesses: boolean },
    now: () => number,
  ) {
    this.#scripts = scripts;
    this.#now = now;
    this.keepsProcesses = keepsProcesses;
  }

  async runShell(job: ShellJob): Promise<ShellOutcome> {
    const key = `${job.invocationId}/${job.stepIndex}/${job.attempt}`;
    const process = job.resumeFrom === null ? this.#begin(key, job) : this.#processes.get(key);
    if (process === undefined) return outcome(null);
    const life = this.#life;
    const stop = (): void => {
      if (life === this.#life) process.end(null);
    };
    if (job.signal.aborted) stop();
    job.signal.addEventListener('abort', stop, { once: true });
    const exitCode = await process.ended;
    // The waiting process has ended.
    if (life !== this.#life) return new Promise<never>(() => {});
    return outcome(exitCode);
  }

  /** Ends the script that was started first. */
  work(exitCode: 0 | 1): void {
    [...this.#processes.values()].find(({ isOver }) => !isOver)?.end(exitCode);
  }

  /** From now on every script succeeds immediately. */
  finishAll(): void {
    this.#isFinishing = true;
    for (const process of this.#processes.values()) process.end(0);
  }

  /** The agent has ended. */
  detach(): void {
    this.#life += 1;
    if (!this.keepsProcesses) this.#processes.clear();
  }

  async forget(invocationId: string): Promise<void> {
    for (const [key, process] of this.#processes)
      if (process.invocationId === invocationId) this.#processes.delete(key);
  }

  #begin(key: string, { invocationId }: ShellJob): Process {
    this.begun.set(key, (this.begun.get(key) ?? 0) + 1);
    this.#lookForCollision(invocationId);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const process: Process = {
      invocationId,
      startedAtMs: this.#now(),
      ended: promise,
      end: (exitCode) => {
        process.isOver = true;
        resolve(exitCode);
      },
      isOver: false,
    };
    this.#processes.set(key, process);
    const end = this.#isFinishing ? 0 : (this.#scripts[this.#next++ % this.#scripts.length] ?? 0);
    if (end !== null) process.end(end);
    return process;
  }

  #lookForCollision(invocationId: string): void {
    const holder = this.holders.get(invocationId);
    if (holder === undefined) return;
    for (const other of this.#processes.values()) {
      const otherHolder = this.holders.get(other.invocationId);
      const isQuiet = this.#now() - other.startedAtMs >= CHANGE_LOCK_QUIET_MS;
      if (other.isOver || isQuiet || otherHolder === undefined || otherHolder === holder) continue;
      this.collisions.push({ invocationId, other: other.invocationId });
    }
  }

  reboot(): Promise<void> {
    return Promise.reject(new Error('not expected'));
  }
  inventory = (): never => notAskedFor();
  software = (): never => notAskedFor();
  packages = (): never => notAskedFor();
  selfCheck = (): never => notAskedFor();
  measure = (): never => notAskedFor();
  download = (): never => notAskedFor();
  readText = (): never => notAskedFor();
  configurePackage = (): never => notAskedFor();
}

const outcome = (exitCode: number | null): ShellOutcome => ({
  exitCode,
  lost: exitCode === null ? 'nobody knows how it ended' : null,
  reports: [],
  files: [],
});

function notAskedFor(): never {
  throw new Error('not expected');
}
