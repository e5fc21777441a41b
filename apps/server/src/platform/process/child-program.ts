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
      child = start(options);
      const [code] = (await once(child, 'exit')) as [number | null];
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = FIRST_RESTART_MS;
      logger.warn({ program: name, code, pauseMs }, 'child process exited; restarting');
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

function start({ name, file, args, env, logger }: ChildProgramOptions): ChildProcess {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) =>
    logger.debug({ program: name }, chunk.toString().trimEnd()),
  );
  child.stderr?.on('data', (chunk: Buffer) =>
    logger.info({ program: name }, chunk.toString().trimEnd()),
  );
  // If the process exits during a write, its exit event reports it.
  child.stdin?.on('error', () => {});
  return child;
}
