import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { adminProgram, serverProgram } from './server-program.ts';

const READY_LIMIT_MS = 90_000;

/** A separate portal for one test file, for tests that stop it. */
export class OwnPortal implements AsyncDisposable {
  readonly port: number;
  readonly #mqttPort: number;
  readonly #dataDir: string;
  #server: ChildProcess | undefined;

  private constructor(port: number, mqttPort: number, dataDir: string) {
    this.port = port;
    this.#mqttPort = mqttPort;
    this.#dataDir = dataDir;
  }

  static async start(): Promise<OwnPortal> {
    const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-e2e-'));
    const portal = new OwnPortal(
      await findFreePort('127.0.0.1'),
      await findFreePort('127.0.0.1'),
      dataDir,
    );
    await portal.start();
    return portal;
  }

  async start(): Promise<void> {
    // The server rejects unknown settings, such as those of the tests.
    const { DEVICEPORTAL_E2E_URL: _url, ...env } = process.env;
    this.#server = spawn(
      process.execPath,
      [
        serverProgram,
        ...['--port', String(this.port), '--mqtt-port', String(this.#mqttPort)],
        ...['--data-dir', this.#dataDir, '--fleet', '3', '--no-agent'],
      ],
      { env: { ...env, DEVICEPORTAL_SIGN_IN_LIMITS: 'off' }, stdio: 'ignore' },
    );
    const deadline = Date.now() + READY_LIMIT_MS;
    while (Date.now() < deadline && this.#server.exitCode === null) {
      const ready = await fetch(`http://localhost:${this.port}/readyz`).catch(() => undefined);
      if (ready?.ok) return;
      await sleep(100);
    }
    throw new Error('the portal was not ready in time');
  }

  /** Runs `npm run admin` next to the running server. */
  async admin(...words: readonly string[]): Promise<string> {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [
      adminProgram,
      ...words,
      '--data-dir',
      this.#dataDir,
    ]);
    return stdout;
  }

  /** Kills the server, as in a crash. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGTERM');
    await rm(this.#dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
