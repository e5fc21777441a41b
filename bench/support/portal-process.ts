import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const build = join(import.meta.dirname, '../../scripts/build.mjs');
const program = join(import.meta.dirname, '../../apps/server/dist/server/server.mjs');
/** As `npm start` and the files in `deploy` run it. */
const MEMORY_OPTION = '--max-semi-space-size=16';
const START_LIMIT_MS = 600_000;

export interface PortalProcess extends AsyncDisposable {
  readonly url: string;
  /** From spawn to the first 200 of `/readyz`. */
  readonly readyAfterMs: number;
  readonly process: ChildProcess;
}

export interface PortalProcessOptions {
  readonly dataDir: string;
  readonly port: number;
  /** Of the embedded broker; not with an external one. */
  readonly mqttPort?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * A module that is loaded into the server first, and communicates with the benchmark by messages.
   */
  readonly preload?: string;
}

/** Starts the complete server as an operator does, and waits until it is ready. */
export async function startPortalProcess(options: PortalProcessOptions): Promise<PortalProcess> {
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const url = `http://localhost:${options.port}`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(options.preload === undefined ? [] : ['--import', options.preload]),
      MEMORY_OPTION,
      program,
      ...['--port', String(options.port)],
      ...(options.mqttPort === undefined ? [] : ['--mqtt-port', String(options.mqttPort)]),
      ...['--data-dir', options.dataDir],
      ...(options.args ?? []),
    ],
    {
      env: { ...process.env, DEVICEPORTAL_SIGN_IN_LIMITS: 'off', ...options.env },
      stdio: ['ignore', 'ignore', 'inherit', ...(options.preload ? (['ipc'] as const) : [])],
    },
  );
  let isStopping = false;
  child.once('exit', (code, signal) => {
    if (!isStopping) console.error(`the portal at ${url} ended with ${signal ?? code}`);
  });
  while ((await isReady(url)) === false) {
    if (child.exitCode !== null) throw new Error('the portal did not start');
    if (performance.now() - startedAt > START_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error('the portal was not ready in time');
    }
    await sleep(10);
  }
  return {
    url,
    readyAfterMs: performance.now() - startedAt,
    process: child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      isStopping = true;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/readyz`).catch(() => undefined);
  return reply?.ok ?? false;
}

/** A percentile of sorted values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
