import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string;
    /** Where the browser sessions of the people are kept between test files. */
    sessionDir: string;
  }
}

const START_LIMIT_MS = 120_000;

/** Starts the whole product once for all browser tests: database, broker, a real agent and a small fleet. */
export default async function startPortal(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['DEVICEPORTAL_E2E_URL'];
  const sessionDir = await mkdtemp(join(tmpdir(), 'deviceportal-sessions-'));
  project.provide('sessionDir', sessionDir);
  if (running) {
    project.provide('portalUrl', running);
    return () => rm(sessionDir, { recursive: true, force: true });
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-e2e-'));
  const [port, mqttPort] = [await freePort(), await freePort()];
  const portalUrl = `http://localhost:${port}`;
  const server = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../apps/server/src/main.ts'),
      ...['--port', String(port), '--mqtt-port', String(mqttPort)],
      ...['--data-dir', dataDir, '--fleet', '40'],
    ],
    {
      env: {
        ...process.env,
        DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
        // A device that leaves by its own rhythm would leave in the middle of a test.
        DEVICEPORTAL_AGENT_RHYTHM: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output = collectOutput(server);
  await untilReady(server, portalUrl, output);
  project.provide('portalUrl', portalUrl);
  return async () => {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
    await rm(sessionDir, { recursive: true, force: true });
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
