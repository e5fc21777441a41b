/**
 * A script in a process group of its own that outlives the agent. A tiny wrapper runs it with its output in
 * files and leaves the exit code in a file, so that a restarted agent can take the process up: follow its
 * output from where it stood and report its true end.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { watch, type FSWatcher } from 'node:fs';
import { execFile } from 'node:child_process';
import { readFile, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { INVOCATION_OUTPUT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import type { OutputStream } from '../store/agent-state.ts';
import { type StepFiles, readExitRecord } from './command-directory.ts';
import { OutputTail } from './output-tail.ts';

/** From the polite request to the kill. */
const KILL_AFTER_MS = 5_000;
/** Where file notifications fail, and to see the end of a process that is not our child. */
const POLL_MS = 150;
const NAMING_LIMIT_MS = 1_000;
const NAMING_POLL_MS = 20;
/** Files may outgrow the limit by as much before they are cut back: a full disk helps nobody. */
const SLACK_BYTES = 1024 * 1024;

/**
 * `trap :` and not `trap ''`: an ignored signal would stay ignored in the script. The wrapper survives the
 * SIGTERM to its group, so that it can record how the script took it. The mark `begun` is made by one of two: by
 * the wrapper, or by a later life of the agent that found no mark and begins the script itself.
 */
const WRAPPER = `trap : TERM INT HUP
directory=$1
claimed=$2
shift 2
[ "$claimed" = claimed ] || mkdir "$directory/begun" || exit 126
echo "$$" >"$directory/pid"
"$@" >>"$directory/stdout" 2>>"$directory/stderr" </dev/null
code=$?
printf '%s\\n' "$code" >"$directory/exit.new" && mv "$directory/exit.new" "$directory/exit"
exit "$code"`;

export interface StepProcessOptions {
  readonly files: StepFiles;
  readonly command: readonly string[];
  readonly workingDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** True where the mark of the beginning was made already, on this process's behalf. */
  readonly claimed: boolean;
  readonly onOutput: (stream: OutputStream, text: string, consumedBytes: number) => void;
  readonly signal: AbortSignal;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly lost: string | null;
}

export class StepProcess {
  readonly #options: Pick<StepProcessOptions, 'files' | 'onOutput' | 'signal'>;
  readonly #tails: Readonly<Record<OutputStream, OutputTail>>;
  readonly #groupId: number;
  readonly #childEnd: Promise<number | null> | undefined;
  #childEnded = false;
  #childCode: number | null = null;
  #watcher: FSWatcher | undefined;
  #wake: (() => void) | undefined;
  #woken = false;
  #detached = false;
  #killTimer: NodeJS.Timeout | undefined;

  private constructor(
    options: Pick<StepProcessOptions, 'files' | 'onOutput' | 'signal'>,
    groupId: number,
    from: { consumed: Readonly<Record<OutputStream, number>>; child?: ChildProcess },
  ) {
    this.#options = options;
    this.#groupId = groupId;
    this.#tails = {
      stdout: this.#tail('stdout', from.consumed.stdout),
      stderr: this.#tail('stderr', from.consumed.stderr),
    };
    this.#childEnd = from.child && this.#followChild(from.child);
  }

  /** Begins the script. Rejects where it cannot be begun at all. */
  static async start(options: StepProcessOptions): Promise<StepProcess> {
    const child = spawn(
      '/bin/sh',
      [
        ...['-c', WRAPPER, 'deviceportal-step', options.files.directory],
        ...[options.claimed ? 'claimed' : 'new', ...options.command],
      ],
      {
        cwd: options.workingDirectory,
        env: options.environment,
        detached: true,
        stdio: 'ignore',
      },
    );
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const consumed = { stdout: 0, stderr: 0 };
    return new StepProcess(options, child.pid ?? 0, { consumed, child });
  }

  /** Takes up a process that an earlier life of the agent began. */
  static async adopt(
    options: Pick<StepProcessOptions, 'files' | 'onOutput' | 'signal'>,
    consumed: Readonly<Record<OutputStream, number>>,
  ): Promise<StepProcess> {
    const processId = await readProcessId(options.files);
    const alive = await isWrapper(processId, options.files.directory);
    return new StepProcess(options, alive ? processId : 0, { consumed });
  }

  /** Follows the output until the end. Never settles after `detach`. */
  async run(): Promise<ProcessEnd> {
    const onAbort = (): void => this.#terminate();
    if (this.#options.signal.aborted) onAbort();
    else this.#options.signal.addEventListener('abort', onAbort, { once: true });
    this.#watchFiles();
    try {
      return await this.#follow();
    } finally {
      this.#options.signal.removeEventListener('abort', onAbort);
      clearTimeout(this.#killTimer);
      this.#watcher?.close();
      // The script is gone; whoever of its group did not listen goes too.
      if (this.#options.signal.aborted) signalGroup(this.#groupId, 'SIGKILL');
    }
  }

  detach(): void {
    this.#detached = true;
    clearTimeout(this.#killTimer);
    this.#watcher?.close();
  }

  async #follow(): Promise<ProcessEnd> {
    for (;;) {
      // The end is looked at before the output, so that the last read cannot miss what came between.
      const end = await this.#endOf();
      if (this.#detached) return await new Promise<never>(() => {});
      await this.#readAll(end !== undefined);
      if (end) return end;
      await this.#nextChange();
    }
  }

  async #endOf(): Promise<ProcessEnd | undefined> {
    const recorded = await readExitRecord(this.#options.files);
    if (recorded !== undefined) return { exitCode: recorded, lost: null };
    if (this.#childEnd) {
      if (!this.#childEnded) return undefined;
      return { exitCode: this.#childCode, lost: this.#childCode === null ? 'killed' : null };
    }
    if (await isWrapper(this.#groupId, this.#options.files.directory)) return undefined;
    // It may have ended between the two looks.
    const late = await readExitRecord(this.#options.files);
    if (late !== undefined) return { exitCode: late, lost: null };
    return { exitCode: null, lost: 'agent restarted during the command' };
  }

  async #readAll(final: boolean): Promise<void> {
    for (const stream of ['stdout', 'stderr'] as const) {
      const bytes = await this.#tails[stream].read(final);
      if (bytes <= INVOCATION_OUTPUT_LIMIT_BYTES + SLACK_BYTES) continue;
      await truncate(this.#options.files[stream], INVOCATION_OUTPUT_LIMIT_BYTES).catch(() => {});
      this.#tails[stream].cutTo(INVOCATION_OUTPUT_LIMIT_BYTES);
    }
  }

  #nextChange(): Promise<void> {
    if (this.#woken) {
      this.#woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        this.#woken = false;
        resolve();
      };
    });
  }

  #notify(): void {
    if (this.#wake) this.#wake();
    else this.#woken = true;
  }

  #watchFiles(): void {
    try {
      this.#watcher = watch(this.#options.files.directory, () => this.#notify());
      this.#watcher.on('error', () => {});
    } catch {
      // No notifications here (too many watches, a network disk): polling is enough.
    }
  }

  #followChild(child: ChildProcess): Promise<number | null> {
    return new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#childEnded = true;
        this.#childCode = code;
        this.#notify();
        resolve(code);
      });
    });
  }

  #terminate(): void {
    signalGroup(this.#groupId, 'SIGTERM');
    this.#killTimer = setTimeout(() => {
      signalGroup(this.#groupId, 'SIGKILL');
      this.#notify();
    }, KILL_AFTER_MS);
  }

  #tail(stream: OutputStream, consumedBytes: number): OutputTail {
    return new OutputTail(this.#options.files[stream], consumedBytes, (text, bytes) =>
      this.#options.onOutput(stream, text, bytes),
    );
  }
}

/** A wrapper that has just begun names itself a moment later; one that was killed before it could never does. */
async function readProcessId(files: StepFiles): Promise<number> {
  for (const deadline = Date.now() + NAMING_LIMIT_MS; ;) {
    const text = await readFile(files.pid, 'utf8').catch(() => '');
    const processId = Number(text.trim()) || 0;
    if (processId > 0 || Date.now() > deadline) return processId;
    await sleep(NAMING_POLL_MS);
  }
}

function signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (groupId <= 1) return;
  try {
    process.kill(-groupId, signal);
  } catch {
    // Gone already.
  }
}

/** Whether this process id is still our wrapper: ids are used again, its directory is not. */
async function isWrapper(processId: number, directory: string): Promise<boolean> {
  if (processId <= 1) return false;
  try {
    process.kill(processId, 0);
  } catch {
    return false;
  }
  try {
    const commandLine = await readFile(`/proc/${processId}/cmdline`, 'utf8');
    return commandLine.includes(directory);
  } catch {
    const run = promisify(execFile);
    const listed = await run('ps', ['-p', String(processId), '-o', 'args=']).catch(() => undefined);
    return listed?.stdout.includes(directory) ?? false;
  }
}
