import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { startAgent, type RunAgentOptions, type RunningAgent } from '@deviceportal/agent/run-agent';
import type { DeviceFolder, FileTransfer } from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { addDeviceFileRoutes } from '../../src/device-files/device-file-routes.ts';
import type { FileContentDeps } from '../../src/device-files/device-files-deps.ts';
import { followTransfer } from '../../src/device-files/follow-transfer.ts';
import { listFolder } from '../../src/device-files/list-folder.ts';
import { readFile } from '../../src/device-files/read-file.ts';
import { createFileLinks } from '../../src/device-files/sign-file-urls.ts';
import { writeFile as writeDeviceFile } from '../../src/device-files/write-file.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import type { Caller, Viewer } from '../../src/platform/viewer.ts';
import { origin, viewerHolding } from '../support/command-fixture.ts';
import {
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';
import { testRunSigning } from '../support/run-signing.ts';

export const REASON = 'test of files';

const ENDED_WITHIN_MS = 50_000;
const userId = newId();

/** The same user each time. */
export const filesViewer = (): Viewer => ({
  ...viewerHolding(
    [{ permissions: ['files:read', 'files:write'], scope: everywhere }],
    'files-user',
  ),
  ...{ userId, subject: userId },
});

export interface FilesFixture extends AsyncDisposable {
  readonly setup: GatewayFixture;
  readonly deps: FileContentDeps;
  readonly device: EnrolledDevice;
  readonly stateDirectory: string;
  /** An allowed folder that can be written, and one that is read-only. */
  readonly writable: string;
  readonly readOnly: string;
  /** A folder that is not allowed. */
  readonly outside: string;
  readonly contents: string;
  readonly serverUrl: string;
  readonly agent: () => RunningAgent;
  readonly restartAgent: (whileStopped?: () => Promise<void>) => Promise<void>;
  /** Ends connections to the server in the middle of so many next answers or pieces. */
  readonly cut: (times: number) => void;
  readonly list: (path: string, order?: ListOrder) => Promise<DeviceFolder>;
  /** The transfer, at its end. */
  readonly read: (path: string, part?: 'start' | 'end' | 'whole') => Promise<FileTransfer>;
  readonly write: (path: string, content: Buffer, overwrites?: boolean) => Promise<FileTransfer>;
  /** Uploads to the portal, which may reject it. */
  readonly send: (
    path: string,
    content: Buffer,
    overwrites?: boolean,
  ) => Promise<{ readonly id: string; readonly response: Response }>;
  /** Uploads to the portal only. */
  readonly upload: (path: string, content: Buffer, overwrites?: boolean) => Promise<string>;
  readonly ended: (id: string) => Promise<FileTransfer>;
  readonly contentOf: (transfer: FileTransfer) => Promise<Buffer>;
  readonly events: (type: string) => Promise<Record<string, unknown>[]>;
}

interface ListOrder {
  readonly sort?: 'name' | 'bytes' | 'modifiedAt';
  readonly isDescending?: boolean;
  readonly offset?: number;
}

export const callerOf = (viewer: Viewer): Caller => ({ ...origin, viewer });

/** The real agent, the real gateway, and the routes of content. */
export async function openFilesFixture(
  options: { readonly folders?: (paths: { readonly root: string }) => string[] } = {},
): Promise<FilesFixture> {
  await using cleanup = new AsyncDisposableStack();
  const signing = testRunSigning();
  const setup = cleanup.use(await openGatewayFixture({ signing, keyIntervalMs: 50 }));
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dp-files-')));
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  const folder = (name: string): string => join(root, name);
  const [writable, readOnly, outside] = [
    folder('writable'),
    folder('read-only'),
    folder('outside'),
  ];
  const [contents, stateDirectory] = [folder('contents'), folder('state')];
  for (const path of [writable, readOnly, outside, contents]) await mkdir(path);
  await mkdir(stateDirectory, { mode: 0o700 });
  const web = await openContentServer({ setup, signing, contents });
  cleanup.defer(web.close);
  const device = await enrollTestDevice(setup);
  await writeIdentity({ setup, device, stateDirectory, serverUrl: web.serverUrl });
  const files: RunAgentOptions['files'] = {
    isOn: true,
    folders: [
      { path: writable, isWritable: true },
      { path: readOnly, isWritable: false },
      ...(options.folders?.({ root }) ?? []).map((path) => ({ path, isWritable: true })),
    ],
  };
  const start = (): Promise<RunningAgent> =>
    startAgent({
      ...{ stateDirectory, files, serialNumber: null, log: () => {}, enrollment: null },
      onRestartWanted: () => {},
      timing: { backOffBaseMs: 20, backOffCapMs: 100 },
    });
  let agent = await start();
  cleanup.defer(() => agent.stop());
  await connected(setup, device, signing.keys.current.keyId);
  const { deps } = web;
  const viewer = filesViewer();
  const ended = (id: string): Promise<FileTransfer> =>
    until(async () => {
      const transfer = await followTransfer(deps, viewer, { id });
      return transfer.state === 'done' || transfer.state === 'failed' ? transfer : undefined;
    }, ENDED_WITHIN_MS);
  const send: FilesFixture['send'] = async (path, content, overwrites = false) => {
    const input = { deviceId: device.deviceId, path, overwrites, reason: REASON };
    const { id, url } = await writeDeviceFile(deps, callerOf(viewer), {
      ...input,
      bytes: content.length,
    });
    const response = await fetch(`${web.serverUrl}${url}`, {
      ...{ method: 'PUT', body: new Uint8Array(content) },
      headers: { 'content-type': 'application/octet-stream' },
    });
    return { id, response };
  };
  const upload: FilesFixture['upload'] = async (path, content, overwrites) => {
    const { id, response } = await send(path, content, overwrites);
    if (response.status !== 201) throw new Error(`answered with ${response.status}`);
    return id;
  };
  const owned = cleanup.move();
  return {
    ...{
      setup,
      deps,
      device,
      stateDirectory,
      writable,
      readOnly,
      outside,
      contents,
      ended,
      send,
      upload,
    },
    ...{ serverUrl: web.serverUrl, cut: web.cut, agent: () => agent },
    async restartAgent(whileStopped) {
      await agent.stop();
      await until(async () => (await stateOf(setup, device)) === 'offline');
      await whileStopped?.();
      agent = await start();
      await connected(setup, device, signing.keys.current.keyId);
    },
    list(path, order = {}) {
      const { sort = 'name', isDescending = false, offset = 0 } = order;
      const asked = { deviceId: device.deviceId, reason: REASON, path };
      return listFolder(deps, callerOf(viewer), { ...asked, sort, isDescending, offset });
    },
    async read(path, part = 'whole') {
      const asked = { deviceId: device.deviceId, reason: REASON, path, part };
      return ended((await readFile(deps, callerOf(viewer), asked)).id);
    },
    async write(path, content, overwrites) {
      return ended(await upload(path, content, overwrites));
    },
    async contentOf({ url }) {
      const response = await fetch(`${web.serverUrl}${url}`);
      if (!response.ok) throw new Error(`answered with ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async events(type) {
      const rows = await rowsOf<{ data: Record<string, unknown> }>(
        setup.database,
        `select data from audit_event where type = $1 order by id`,
        [type],
      );
      return rows.map(({ data }) => data);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const CUT_AFTER_MS = 3;
/** Beyond this, nothing is transferred at all. */
const MANY = 100;

async function openContentServer({
  setup: { database, changes },
  signing,
  contents,
}: Pick<FileContentDeps, 'signing'> & {
  readonly setup: GatewayFixture;
  readonly contents: string;
}) {
  const clock = (): Date => new Date();
  const signer = createUrlSigner(Buffer.alloc(32, 7), clock);
  const links = createPersonLinks({
    signer,
    isHolderIn: async () => true,
    findSigner: () => Promise.reject(new PortalError('notFound')),
  });
  const deps: FileContentDeps = {
    ...{ database, changes, clock, signing, fileLinks: createFileLinks({ signer, links }) },
    contents: createDirectoryFiles(contents, 'spread'),
    answerMs: 8_000,
  };
  let cuts = 0;
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) =>
    reply
      .code(error instanceof PortalError ? error.httpStatus : 500)
      .send({ message: String(error) }),
  );
  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/device-files/') || cuts <= 0) return;
    // The question how much is stored is answered.
    if (request.method === 'PUT' && request.headers['content-length'] === '0') return;
    cuts -= 1;
    if (cuts > MANY) request.raw.socket.destroy();
    else setTimeout(() => request.raw.socket.destroy(), CUT_AFTER_MS);
  });
  addDeviceFileRoutes(app, { ...deps, signer, links });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    deps,
    serverUrl: `http://127.0.0.1:${port}`,
    cut(times: number) {
      cuts = times;
    },
    close: () => app.close(),
  };
}

async function writeIdentity({
  setup,
  device: { deviceId, instanceId, key, certificate },
  stateDirectory,
  serverUrl,
}: {
  readonly setup: GatewayFixture;
  readonly device: EnrolledDevice;
  readonly stateDirectory: string;
  readonly serverUrl: string;
}): Promise<void> {
  await writeFile(
    join(stateDirectory, 'identity.json'),
    JSON.stringify({
      ...{ deviceId, instanceId, certificate, serverUrl },
      brokerUrl: `mqtts://127.0.0.1:${setup.broker.tlsPort}`,
      authorities: setup.authority.authorities,
      privateKey: key,
      pendingPrivateKey: null,
    }),
    { mode: 0o600 },
  );
}

async function stateOf(
  { database }: GatewayFixture,
  { deviceId }: EnrolledDevice,
): Promise<string | undefined> {
  const [found] = await rowsOf<{ state: string }>(
    database,
    'select connectivity as state from device_status where device_id = $1',
    [deviceId],
  );
  return found?.state;
}

/** Until the portal knows that the device offers files, and the device knows the key. */
async function connected(
  { database }: GatewayFixture,
  { instanceId }: EnrolledDevice,
  keyId: string,
): Promise<void> {
  await until(async () => {
    const [found] = await rowsOf<{ offer: string | null; keys: string[] | null; state: string }>(
      database,
      `select i.files_offer as offer, i.run_key_ids as keys, s.connectivity as state
       from device_instance i join device_status s on s.device_id = i.device_id where i.id = $1`,
      [instanceId],
    );
    const isOnline = found?.state === 'online' || found?.state === 'degraded';
    return isOnline && found.keys?.includes(keyId) === true && found.offer !== null;
  });
}
