import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startAgent, type RunAgentOptions, type RunningAgent } from '@deviceportal/agent/run-agent';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import type {
  TerminalClientMessage,
  TerminalEndReason,
  TerminalServerMessage,
} from '@deviceportal/contract/terminals';
import { openTerminal } from '../../src/terminals/open-terminal.ts';
import type { TerminalDeps } from '../../src/terminals/terminal-deps.ts';
import { TerminalSender } from '../../src/terminals/terminal-lines.ts';
import { TerminalSockets } from '../../src/terminals/terminal-sockets.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin as requestOrigin, viewerHolding } from '../support/command-fixture.ts';
import {
  enrollTestDevice,
  openGatewayFixture,
  quietLogger,
  rowsOf,
  until,
  type GatewayFixture,
  type GatewayFixtureOptions,
} from '../support/gateway-fixture.ts';
import { testRunSigning } from '../support/run-signing.ts';

/** A shell without start files, whose prompt is known. */
export const testAccount: NonNullable<RunAgentOptions['findAccount']> = () => ({
  name: 'tester',
  file: '/bin/sh',
  args: [],
  directory: tmpdir(),
  environment: { TERM: 'xterm-256color', PATH: '/usr/bin:/bin', PS1: '$ ', HOME: tmpdir() },
});

export interface TerminalFixture extends AsyncDisposable {
  readonly setup: GatewayFixture;
  readonly deps: TerminalDeps;
  readonly agent: TestAgent;
  readonly deviceId: string;
  /** Whom a token belongs to; can be changed. */
  readonly viewers: Map<string, Viewer>;
  readonly viewer: Viewer;
  readonly url: string;
  readonly open: (viewer?: Viewer) => Promise<string>;
  readonly attach: (sessionId: string, options?: AttachOptions) => TestBrowser;
  readonly row: (sessionId: string) => Promise<TerminalRecord>;
  /** Another server of the same database, without a gateway. */
  readonly openWebServer: () => Promise<WebServer>;
}

export interface WebServer extends AsyncDisposable {
  readonly url: string;
  readonly attach: TerminalFixture['attach'];
}

export interface TerminalRecord {
  readonly state: string;
  readonly end_reason: TerminalEndReason | null;
  readonly exit_code: number | null;
  readonly sha256: string | null;
  readonly recorded_bytes: number;
}

export interface AttachOptions {
  readonly token?: string;
  readonly received?: number;
  /** Only watches. */
  readonly watches?: boolean;
}

export const terminalViewer = (
  permissions: readonly Permission[] = ['terminal:open', 'terminal:replay'],
): Viewer => viewerHolding([{ permissions, scope: everywhere }], 'terminal-user');

export interface TerminalFixtureOptions
  extends
    Pick<RunAgentOptions, 'terminal' | 'findAccount'>,
    Pick<GatewayFixtureOptions, 'openEngine'> {
  readonly resumeMs?: number;
  /** A bundle that runs as a process of its own, instead of the agent in this process. */
  readonly program?: string;
  /** The native file that the server offers. */
  readonly nativeFile?: () => Uint8Array;
}

export async function openTerminalFixture(
  options: TerminalFixtureOptions = {},
): Promise<TerminalFixture> {
  await using cleanup = new AsyncDisposableStack();
  const signing = testRunSigning();
  const setup = cleanup.use(
    await openGatewayFixture({
      ...{ signing, keyIntervalMs: 50 },
      ...(options.openEngine && { openEngine: options.openEngine }),
    }),
  );
  const { database, changes, terminalLines } = setup;
  const viewer = terminalViewer();
  const viewers = new Map([['token', viewer]]);
  const openServer = (lines: TerminalSender): Promise<WebServer> =>
    openWebServer({ ...options, setup, viewers, lines });
  const web = cleanup.use(await openServer(terminalLines));
  const serverUrl = new URL(web.url.replace('ws:', 'http:')).origin;
  const device = await enrollTestDevice(setup);
  const agent = cleanup.use(
    await startTestAgent(setup, { device, serverUrl, cleanup, ...options }),
  );
  const { deviceId, instanceId } = device;
  await until(async () => {
    const [found] = await rowsOf<{ offer: string | null; keys: string[] | null; state: string }>(
      database,
      `select i.terminal_offer as offer, i.run_key_ids as keys, s.connectivity as state
       from device_instance i join device_status s on s.device_id = i.device_id where i.id = $1`,
      [instanceId],
    );
    const knowsKey = found?.keys?.includes(signing.keys.current.keyId) === true;
    return knowsKey && found.offer !== null && found.state !== 'never';
  });
  const deps: TerminalDeps = {
    ...{ database, changes, signing, terminalLines },
    clock: () => new Date(),
    signRecordingUrl: (id) => `/terminal-recordings/${id}.cast`,
  };
  const owned = cleanup.move();
  return {
    ...{ setup, deps, agent, deviceId, viewers, viewer, url: web.url, attach: web.attach },
    async open(by = viewer) {
      const input = { deviceId, reason: 'test of the terminal', columns: 80, rows: 24 };
      return (await openTerminal(deps, { ...requestOrigin, viewer: by }, input)).sessionId;
    },
    async row(sessionId) {
      const [found] = await rowsOf<TerminalRecord>(
        database,
        `select state, end_reason, exit_code, sha256, recorded_bytes
         from terminal_session where id = $1`,
        [sessionId],
      );
      if (found === undefined) throw new Error('no such session');
      return found;
    },
    async openWebServer() {
      await using resources = new AsyncDisposableStack();
      const lines = resources.use(new TerminalSender(changes));
      const other = resources.use(await openServer(lines));
      const kept = resources.move();
      return { ...other, [Symbol.asyncDispose]: () => kept.disposeAsync() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openWebServer({
  setup: { database, changes },
  viewers,
  lines,
  resumeMs,
  nativeFile,
}: Pick<TerminalFixtureOptions, 'resumeMs' | 'nativeFile'> & {
  readonly setup: Pick<GatewayFixture, 'database' | 'changes'>;
  readonly viewers: ReadonlyMap<string, Viewer>;
  readonly lines: TerminalSender;
}): Promise<WebServer> {
  await using resources = new AsyncDisposableStack();
  const server = createServer((request, response) => {
    const isNative = request.url?.startsWith('/agent/pty-') === true;
    response.statusCode = isNative && nativeFile ? 200 : 404;
    response.end(isNative ? nativeFile?.() : undefined);
  });
  resources.defer(() => void server.close());
  resources.use(
    new TerminalSockets({
      ...{ database, changes, terminalLines: lines, server, logger: quietLogger },
      recent: lines.recent,
      addressOf: () => '127.0.0.1',
      async findViewer(token) {
        const found = viewers.get(token);
        if (found === undefined) throw new Error('not signed in');
        return found;
      },
      ...(resumeMs !== undefined && { resumeMs }),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/terminal`;
  const browsers: TestBrowser[] = [];
  resources.defer(() => browsers.forEach((browser) => browser.vanish()));
  const kept = resources.move();
  return {
    url,
    attach(sessionId, options = {}) {
      const browser = new TestBrowser(url, sessionId, options);
      browsers.push(browser);
      return browser;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function startTestAgent(
  setup: GatewayFixture,
  {
    device,
    cleanup,
    terminal,
    findAccount = testAccount,
    program,
    serverUrl,
  }: TerminalFixtureOptions & {
    readonly device: Awaited<ReturnType<typeof enrollTestDevice>>;
    readonly cleanup: AsyncDisposableStack;
    readonly serverUrl: string;
  },
): Promise<TestAgent> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dp-terminal-'));
  cleanup.defer(() => rm(stateDirectory, { recursive: true, force: true }));
  const { deviceId, instanceId, key, certificate } = device;
  await writeFile(
    join(stateDirectory, 'identity.json'),
    JSON.stringify({
      ...{ deviceId, instanceId, certificate },
      brokerUrl: setup.connection.brokerUrls[0],
      connection: setup.connection,
      serverUrl,
      authorities: setup.authority.authorities,
      privateKey: key,
      pendingPrivateKey: null,
    }),
  );
  if (program !== undefined) return startProgram(program, stateDirectory, terminal);
  return startAgent({
    ...{ stateDirectory, findAccount },
    ...(terminal && { terminal }),
    serialNumber: null,
    log: () => {},
    enrollment: null,
    onRestartWanted: () => {},
    timing: { backOffBaseMs: 20, backOffCapMs: 100 },
  });
}

/** The agent in this process; of another process, only its end is known. */
export type TestAgent = Pick<RunningAgent, 'stop'> &
  AsyncDisposable &
  Partial<RunningAgent> & { readonly kill?: () => void };

function startProgram(
  program: string,
  stateDirectory: string,
  terminal: RunAgentOptions['terminal'],
): TestAgent {
  const account = terminal?.account ?? undefined;
  const child = spawn(process.execPath, [program, 'run', '--state-dir', stateDirectory], {
    env: { ...process.env, ...(account && { DEVICEPORTAL_AGENT_TERMINAL: account }) },
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await exited;
  };
  return { stop, kill: () => void child.kill('SIGKILL'), [Symbol.asyncDispose]: stop };
}

/** The browser of a session. */
export class TestBrowser {
  readonly messages: TerminalServerMessage[] = [];
  output = Buffer.alloc(0);
  received: number;
  /** Whether output is confirmed. */
  reads = true;
  closeCode: number | undefined;
  readonly #socket: WebSocket;

  constructor(
    url: string,
    sessionId: string,
    { token = 'token', received = 0, watches = false }: AttachOptions,
  ) {
    this.received = received;
    this.#socket = new WebSocket(url);
    this.#socket.on('error', () => {});
    this.#socket.on('close', (code) => {
      this.closeCode = code;
    });
    this.#socket.on('open', () =>
      this.send(
        watches
          ? { kind: 'watch', sessionId, token }
          : { kind: 'attach', sessionId, token, received },
      ),
    );
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        this.messages.push(JSON.parse(String(data)) as TerminalServerMessage);
        return;
      }
      this.output = Buffer.concat([this.output, data]).subarray(-1_000_000);
      this.received += data.length;
      if (this.reads) this.confirm();
    });
  }

  get text(): string {
    return this.output.toString();
  }

  get ending(): Extract<TerminalServerMessage, { kind: 'ended' }> | undefined {
    return this.messages.find((message) => message.kind === 'ended');
  }

  get isOpen(): boolean {
    return this.messages.some((message) => message.kind === 'opened');
  }

  /** Usernames of those who watch, as the user of the session sees them. */
  get watchers(): readonly string[] {
    return this.messages.findLast((message) => message.kind === 'watchers')?.names ?? [];
  }

  get isWatching(): boolean {
    return this.messages.some((message) => message.kind === 'watching');
  }

  confirm(): void {
    this.send({ kind: 'read', upTo: this.received });
  }

  /** After the first message was sent. */
  onceOpen(act: () => void): void {
    this.#socket.once('open', act);
  }

  type(text: string): void {
    this.send({ kind: 'input', text });
  }

  send(message: TerminalClientMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** As a lost network does. */
  vanish(): void {
    this.#socket.terminate();
  }
}
