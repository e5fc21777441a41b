import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent, type RunAgentOptions, type RunningAgent } from '@deviceportal/agent/run-agent';
import { everywhere } from '@deviceportal/contract/permissions';
import { repeat } from '../../src/platform/process/repeat.ts';
import type { Caller, Viewer } from '../../src/platform/viewer.ts';
import { keepWebPages } from '../../src/web-pages/keep-web-pages.ts';
import { linkWebPage } from '../../src/web-pages/link-web-page.ts';
import { openWebPage } from '../../src/web-pages/open-web-page.ts';
import { pageOrigins } from '../../src/web-pages/pages-server/page-origins.ts';
import { PagesServer } from '../../src/web-pages/pages-server/pages-server.ts';
import { sweepWebPages } from '../../src/web-pages/sweep-web-pages.ts';
import type { WebPageDeps } from '../../src/web-pages/web-page-deps.ts';
import { WebPageSender } from '../../src/web-pages/web-page-lines.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import {
  enrollTestDevice,
  openGatewayFixture,
  quietLogger,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';
import { testRunSigning } from '../support/run-signing.ts';
import { openDeviceWebServer, type DeviceWebServer } from './device-web-server.ts';

export interface WebPageFixture extends AsyncDisposable {
  readonly setup: GatewayFixture;
  readonly deps: WebPageDeps;
  readonly device: EnrolledDevice;
  readonly web: DeviceWebServer;
  readonly agent: RunningAgent;
  readonly viewer: Viewer;
  readonly pagesPort: number;
  /** Users whose sign-in has ended. */
  readonly signedOut: Set<string>;
  /** Opens the page of the web server, and waits until the device has opened it. */
  readonly open: (viewer?: Viewer, port?: number) => Promise<string>;
  /** Follows a new link as a browser does. */
  readonly enter: (sessionId: string) => Promise<OpenPage>;
  /** Checks all sessions once, as servers do every two seconds. */
  readonly sweep: () => Promise<void>;
  readonly row: (sessionId: string) => Promise<WebPageRecord>;
  readonly events: (type: string) => Promise<Record<string, unknown>[]>;
  /** The port of another server of the same database, which serves no devices. */
  readonly openOtherServer: () => Promise<{ readonly port: number } & AsyncDisposable>;
}

export interface OpenPage {
  readonly host: string;
  readonly cookie: string;
}

export interface WebPageRecord {
  readonly state: string;
  readonly end_reason: string | null;
  readonly obstacle: string | null;
  readonly requests: number;
  readonly received_bytes: number;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface PageRequest extends Partial<OpenPage> {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const callerOf = (viewer: Viewer): Caller => ({ ...origin, viewer });

export const pageViewer = (): Viewer =>
  viewerHolding([{ permissions: ['web-pages:open'], scope: everywhere }], 'page-user');

export type WebPageFixtureOptions = Pick<RunAgentOptions, 'terminal'> & {
  /** Instead of the port of the web server. */
  readonly pages?: RunAgentOptions['webPages'];
  /** Whether sessions are checked only by `sweep`. */
  readonly isSweptByTest?: boolean;
};

/** The real agent with a small web server on its device, the real gateway, and the server of pages. */
export async function openWebPageFixture(
  options: WebPageFixtureOptions = {},
): Promise<WebPageFixture> {
  await using cleanup = new AsyncDisposableStack();
  const signing = testRunSigning();
  const setup = cleanup.use(await openGatewayFixture({ signing, keyIntervalMs: 50 }));
  const { database, changes, webPageLines } = setup;
  const web = cleanup.use(await openDeviceWebServer());
  const viewer = pageViewer();
  const signedOut = new Set<string>();
  const pages = cleanup.use(await openPagesServer(setup, webPageLines));
  const pagesPort = pages.port;
  const webPageOrigin = pages.origins.of;
  const onError = (): void => {};
  cleanup.use(repeat(() => keepWebPages({ database, webPageLines }), { everyMs: 500, onError }));
  const sweep = (): Promise<void> =>
    sweepWebPages({
      ...{ database, changes, webPageLines },
      findValidHolders: async (holders) =>
        new Set(holders.filter(({ userId }) => !signedOut.has(userId))),
    });
  if (options.isSweptByTest !== true) cleanup.use(repeat(sweep, { everyMs: 200, onError }));
  const device = await enrollTestDevice(setup);
  const webPages = options.pages ?? [{ port: web.port, title: 'Status' }];
  const agent = cleanup.use(await startPageAgent(setup, { device, cleanup, webPages, ...options }));
  await connected(setup, device, signing.keys.current.keyId);
  const deps: WebPageDeps = {
    ...{ database, changes, signing, webPageLines, webPageOrigin },
    clock: () => new Date(),
  };
  const row = (sessionId: string): Promise<WebPageRecord> => readRow(setup, sessionId);
  const owned = cleanup.move();
  return {
    ...{ setup, deps, device, web, agent, viewer, pagesPort, signedOut, sweep, row },
    async open(by = viewer, port = web.port) {
      const input = { deviceId: device.deviceId, port, reason: 'test of web pages' };
      const { sessionId } = await openWebPage(deps, callerOf(by), input);
      await until(async () => (await row(sessionId)).state !== 'opening');
      return sessionId;
    },
    async enter(sessionId) {
      const { url } = await linkWebPage(deps, viewer, { sessionId });
      return enterBy(url, pagesPort);
    },
    async events(type) {
      const found = await rowsOf<{ data: Record<string, unknown> }>(
        database,
        'select data from audit_event where type = $1 order by id',
        [type],
      );
      return found.map(({ data }) => data);
    },
    async openOtherServer() {
      const lines = new WebPageSender(changes);
      const other = await openPagesServer(setup, lines, pagesPort);
      return {
        port: other.port,
        async [Symbol.asyncDispose]() {
          await other[Symbol.asyncDispose]();
          lines[Symbol.dispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Follows a link: sends its secret, and keeps the cookie. */
export async function enterBy(url: string, port: number): Promise<OpenPage> {
  const { host, hash, pathname } = new URL(url);
  const answer = await askPage(port, {
    ...{ host, path: pathname, method: 'POST', body: hash.slice(1) },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
  if (answer.status !== 204) throw new Error(`link answered with ${answer.status}`);
  return { host, cookie };
}

export async function askPage(port: number, asked: PageRequest): Promise<PageAnswer> {
  const { host = 'localhost', cookie, path = '/', method = 'GET', headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const sent = sendRequest(
      {
        ...{ host: '127.0.0.1', port, path, method, agent: false },
        headers: {
          ...{ host, 'sec-fetch-site': 'same-origin' },
          ...(cookie && { cookie }),
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readRow({ database }: GatewayFixture, sessionId: string): Promise<WebPageRecord> {
  const [found] = await rowsOf<WebPageRecord>(
    database,
    `select state, end_reason, obstacle, requests::int, received_bytes::int
     from web_page_session where id = $1`,
    [sessionId],
  );
  if (found === undefined) throw new Error('no such session');
  return found;
}

/** @param originPort of the origins, if it is not the one at which this server listens */
async function openPagesServer(
  { database, changes }: GatewayFixture,
  lines: WebPageSender,
  originPort?: number,
) {
  const own = (): number => (pages.server.address() as AddressInfo).port;
  const origins = (): ReturnType<typeof pageOrigins> =>
    pageOrigins(`http://*.localhost:${originPort ?? own()}`);
  const pages = new PagesServer({
    ...{ database, changes, lines, origins, logger: quietLogger },
    ...{ tls: undefined, trustedProxies: [], addressOf: () => '127.0.0.1' },
  });
  await new Promise<void>((resolve) => {
    pages.server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: own(),
    origins: origins(),
    [Symbol.asyncDispose]: () => pages[Symbol.asyncDispose](),
  };
}

async function startPageAgent(
  { connection, authority }: GatewayFixture,
  {
    device: { deviceId, instanceId, key, certificate },
    cleanup,
    webPages,
    terminal,
  }: WebPageFixtureOptions & {
    readonly device: EnrolledDevice;
    readonly cleanup: AsyncDisposableStack;
    readonly webPages: NonNullable<RunAgentOptions['webPages']>;
  },
): Promise<RunningAgent> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dp-web-page-'));
  cleanup.defer(() => rm(stateDirectory, { recursive: true, force: true }));
  const identity = {
    ...{ deviceId, instanceId, certificate, connection },
    brokerUrl: connection.brokerUrls[0],
    serverUrl: 'http://127.0.0.1:9',
    authorities: authority.authorities,
    ...{ privateKey: key, pendingPrivateKey: null },
  };
  await writeFile(join(stateDirectory, 'identity.json'), JSON.stringify(identity));
  return startAgent({
    ...{ stateDirectory, webPages, serialNumber: null, enrollment: null },
    ...(terminal && { terminal }),
    log: () => {},
    onRestartWanted: () => {},
    timing: { backOffBaseMs: 20, backOffCapMs: 100 },
  });
}

/** Until the portal knows which web pages the device offers, and the device knows the key. */
async function connected(
  { database }: GatewayFixture,
  { instanceId }: EnrolledDevice,
  keyId: string,
): Promise<void> {
  await until(async () => {
    const [found] = await rowsOf<{ pages: string | null; keys: string[] | null; state: string }>(
      database,
      `select i.web_pages as pages, i.run_key_ids as keys, s.connectivity as state
       from device_instance i join device_status s on s.device_id = i.device_id where i.id = $1`,
      [instanceId],
    );
    const isOnline = found?.state === 'online' || found?.state === 'degraded';
    return isOnline && found.keys?.includes(keyId) === true && found.pages !== null;
  });
}
