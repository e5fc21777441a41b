import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { urlOf } from '../../../src/platform/database/postgres-socket.ts';
import {
  isPostgresProcess,
  readPostmasterFile,
} from '../../../src/platform/database/postmaster-file.ts';
import { findFreePort } from '../../../src/platform/http/find-free-port.ts';
import { until } from '../until.ts';
import { programEnv } from './program-env.ts';
import { serverFile } from './program-files.ts';

const agentMain = join(import.meta.dirname, '../../../../agent/src/main.ts');
const fleetMain = join(import.meta.dirname, '../../../../agent/src/fleet/main.ts');
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;

/** A separate process that a test can start and end repeatedly. */
export class Program implements AsyncDisposable {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  /** The last lines of its output, for the message of a failed test. */
  get output(): string {
    return this.#output;
  }

  get runs(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  start(env: Readonly<Record<string, string>> = {}): void {
    const [program = process.execPath, ...args] = this.#args;
    const child = spawn(program, args, {
      env: { ...programEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#child = child;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Resolves with the exit code when it has ended without being asked. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child !== undefined && this.runs) await once(child, 'close');
    return child?.exitCode ?? null;
  }

  /** Resolves with the exit code when it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || !this.runs) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const forced = setTimeout(() => void this.end('SIGKILL'), STOP_LIMIT_MS);
    await this.end('SIGTERM');
    clearTimeout(forced);
  }
}

/** The agent as run by an operator, not started yet. */
export function agentProgram(options: readonly string[]): Program {
  return new Program([process.execPath, agentMain, 'run', ...options]);
}

/** Simulated devices in one process, which stay connected. By default, they finish commands immediately. */
export function fleetProgram(options: {
  readonly serverUrl: string;
  readonly stateDir: string;
  readonly size: number;
  /** Determines the serial numbers, together with the size. */
  readonly seed?: string;
  readonly instant?: boolean;
}): Program {
  const { serverUrl, stateDir, size, seed = stateDir, instant = true } = options;
  return new Program([
    ...[process.execPath, fleetMain, '--server', serverUrl, '--state-dir', stateDir],
    ...['--size', String(size), '--seed', seed, '--no-rhythm', '--no-faults'],
    ...(instant ? ['--instant'] : []),
  ]);
}

/** An agent with its own state folder. */
export interface AgentProgram extends AsyncDisposable {
  readonly program: Program;
  /** The stored identity of the agent after its enrollment. */
  readonly identity: () => Promise<AgentIdentity>;
}

export interface AgentIdentity {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly brokerUrl: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly authorities: string;
}

interface PortalPlace {
  readonly dataDir: string;
  readonly port: number;
  readonly mqttPort: number;
  readonly withAgent: boolean;
}

/** The server with its own database in a new data folder, not started yet, without a fleet. */
export class PortalPrograms implements AsyncDisposable {
  readonly dataDir: string;
  readonly url: string;
  readonly server: Program;
  readonly #mqttPort: number;
  readonly #resources = new AsyncDisposableStack();

  private constructor({ dataDir, port, mqttPort, withAgent }: PortalPlace) {
    this.dataDir = dataDir;
    this.url = `http://localhost:${port}`;
    this.#mqttPort = mqttPort;
    this.server = new Program([
      ...[process.execPath, serverFile, '--data-dir', dataDir, '--port', String(port)],
      ...['--fleet', '0', ...(withAgent ? [] : ['--no-agent'])],
    ]);
  }

  static async prepare(withAgent = false): Promise<PortalPrograms> {
    const dataDir = await makeDataDir();
    const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const portal = new PortalPrograms({ dataDir, port, mqttPort, withAgent });
    portal.#resources.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    portal.#resources.defer(() => portal.#endDatabase());
    portal.#resources.use(portal.server);
    return portal;
  }

  /**
   * A server on a data folder that stays.
   * @param inPlaceOf one that has ended, whose ports it uses
   */
  static async prepareOn(dataDir: string, inPlaceOf?: PortalPrograms): Promise<PortalPrograms> {
    const port = Number(inPlaceOf?.url.split(':').at(-1) ?? (await findFreePort('127.0.0.1')));
    const mqttPort =
      inPlaceOf === undefined ? await findFreePort('127.0.0.1') : inPlaceOf.#mqttPort;
    const portal = new PortalPrograms({ dataDir, port, mqttPort, withAgent: false });
    portal.#resources.defer(() => portal.#endDatabase());
    portal.#resources.use(portal.server);
    return portal;
  }

  /** Another server of the same installation, with a shared database and broker. */
  static async prepareBeside({ dataDir }: PortalPrograms): Promise<PortalPrograms> {
    const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const portal = new PortalPrograms({ dataDir, port, mqttPort, withAgent: false });
    portal.#resources.use(portal.server);
    return portal;
  }

  /** Resolves when it is ready. */
  async startServer(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const external = ['DEVICEPORTAL_MQTT_URL', 'DEVICEPORTAL_NATS_URL'];
    const embedded = external.every((setting) => settings[setting] === undefined);
    this.server.start({
      ...(embedded && { DEVICEPORTAL_MQTT_PORT: String(this.#mqttPort) }),
      DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
      DEVICEPORTAL_LOG_LEVEL: 'warn',
      ...settings,
    });
    await until(async () => {
      if (!this.server.runs) throw new Error(`the server ended:\n${this.server.output}`);
      return (await fetch(`${this.url}/readyz`).catch(() => undefined))?.ok;
    }, START_LIMIT_MS);
  }

  /** An agent that enrolls with the claim and reconnects with the same identity. */
  startAgent(
    name: string,
    claim: string,
    settings: Readonly<Record<string, string>> = {},
  ): AgentProgram {
    const stateDir = join(this.dataDir, `agent-${name}`);
    const program = agentProgram(['--server', this.url, '--state-dir', stateDir]);
    const agent: AgentProgram = {
      program,
      identity: () => identityIn(stateDir),
      // A killed agent sends no goodbye and needs no cleanup.
      [Symbol.asyncDispose]: async () => void (await program.end('SIGKILL')),
    };
    this.#resources.use(agent);
    program.start({ DEVICEPORTAL_AGENT_CLAIM: claim, ...settings });
    return agent;
  }

  /** The agent started by the server itself. */
  get localAgent(): Pick<AgentProgram, 'identity'> {
    return { identity: () => identityIn(join(this.dataDir, 'agent')) };
  }

  /** The PID of the database, which survives a killed server. */
  async databasePid(): Promise<number> {
    return (await this.#postmaster()).pid;
  }

  /** With the owner's permissions. */
  async databaseUrl(): Promise<string> {
    return urlOf((await this.#postmaster()).socketDir, 'deviceportal');
  }

  /** Statements next to a running or stopped server. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: await this.databaseUrl() });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  async #postmaster() {
    const found = await readPostmasterFile(join(this.dataDir, 'postgres'));
    if (found === undefined) throw new Error('the database does not run');
    return found;
  }

  /** Processes left behind by a server that could not stop its database. */
  async #endDatabase(): Promise<void> {
    const left = await readPostmasterFile(join(this.dataDir, 'postgres'));
    if (left === undefined || !(await isPostgresProcess(left.pid))) return;
    process.kill(left.pid, 'SIGQUIT');
    await until(async () => !(await isPostgresProcess(left.pid)));
  }
}

async function identityIn(stateDir: string): Promise<AgentIdentity> {
  const path = join(stateDir, 'identity.json');
  return JSON.parse(await until(() => readFile(path, 'utf8').catch(() => ''), 20_000));
}

/** As root, PostgreSQL runs under another user, who must be able to enter the folder. */
async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dp-faults-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}
