import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging.ts';

export interface ChildProgramOptions {
  /** For the log. */
  readonly name: string;
  /** A TypeScript file, run with the server's Node. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

const FIRST_RESTART_MS = 1_000;
const SLOWEST_RESTART_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
/** Of its last output, which explains why it exited. */
const REASON_CHARACTERS = 1_000;

/**
 * Runs a child process next to the server: restarts it with back-off when it exits, and stops it
 * with the server. Its standard input is a pipe, so that it detects the end of the server.
 */
export function keepRunning(options: ChildProgramOptions): AsyncDisposable {
  const { name, logger } = options;
  const stopping = new AbortController();
  let child: ChildProcess | undefined;

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_RESTART_MS;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const started = start(options);
      child = started.child;
      // Not `exit`, which can come before the last output.
      const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = FIRST_RESTART_MS;
      logger.warn(
        { program: name, exitCode, signal, reason: started.lastOutput(), pauseMs },
        'child process exited; restarting',
      );
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, SLOWEST_RESTART_MS);
    }
  };
  const finished = run().catch((error: unknown) =>
    logger.error({ program: name, err: error }, 'child process start failed'),
  );

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      child?.kill('SIGTERM');
      const forced = setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS);
      await finished;
      clearTimeout(forced);
    },
  };
}

function start({ name, file, args, env, logger }: ChildProgramOptions): {
  readonly child: ChildProcess;
  readonly lastOutput: () => string;
} {
  let lastOutput = '';
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) =>
    logger.debug({ program: name }, chunk.toString().trimEnd()),
  );
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString().trimEnd();
    logger.info({ program: name }, text);
    lastOutput = `${lastOutput}\n${text}`.trimStart().slice(-REASON_CHARACTERS);
  });
  // If the process exits during a write, its exit event reports it.
  child.stdin?.on('error', () => {});
  return { child, lastOutput: () => lastOutput };
}
