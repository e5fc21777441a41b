/**
 * Runs a script in its own process group, which outlives the agent. A small wrapper writes output
 * and exit code to files, so that a restarted agent can adopt the process: it follows the output
 * from its last position and reports the actual result.
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

/** Delay from SIGTERM to SIGKILL. */
const KILL_AFTER_MS = 5_000;
/**
 * Polling interval, for file systems without notifications and for the end of processes that are
 * not children.
 */
const POLL_MS = 150;
const NAMING_LIMIT_MS = 1_000;
const NAMING_POLL_MS = 20;
/**
 * Files can exceed the limit by this much before they are truncated, so that they do not fill the
 * disk.
 */
const SLACK_BYTES = 1024 * 1024;

/**
 * `trap :` and not `trap ''`, because scripts would inherit an ignored signal. The wrapper survives
 * SIGTERM to its group, so that it can record the script's exit code. The mark `begun` is created
 * either by the wrapper, or by a restarted agent that found no mark and starts the script itself.
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
  /** Whether the start mark was already created for this process. */
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

  /** Starts the script. Rejects if it cannot be started. */
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

  /** Adopts a process that was started before a restart of the agent. */
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
      // The script has ended. Kill remaining processes of its group.
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
      // Check for the end before reading the output, so that the last read is complete.
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
    // It may have ended between the two checks.
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
      // No file notifications (too many watches, a network disk). Polling is sufficient.
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

/**
 * A wrapper writes its process ID shortly after its start. One that was killed before never does.
 */
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
    // Already ended.
  }
}

/** Whether this process ID is still the wrapper: process IDs are reused, its directory is not. */
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
