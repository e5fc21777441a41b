import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverProgram } from './server-program.ts';

const START_LIMIT_MS = 120_000;

export interface SpawnedPortal extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts the whole product as a separate process with a separate data folder, and waits until it is
 * ready.
 */
export async function spawnPortal(
  options: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SpawnedPortal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-e2e-'));
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const url = `http://localhost:${port}`;
  const server = spawn(
    process.execPath,
    [
      serverProgram,
      ...['--port', String(port), '--mqtt-port', String(mqttPort)],
      ...['--data-dir', dataDir],
      ...options,
    ],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await untilReady(server, url, collectOutput(server));
  return {
    url,
    async [Symbol.asyncDispose]() {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the portal did not start:\n${output()}`);
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return;
    await sleep(200);
  }
  server.kill('SIGTERM');
  throw new Error(`the portal was not ready in time:\n${output()}`);
}

function collectOutput(server: ChildProcess): () => string {
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  server.stdout?.on('data', keep);
  server.stderr?.on('data', keep);
  return () => output;
}
