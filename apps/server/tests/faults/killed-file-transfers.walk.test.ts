import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileTransfer, StartedFileWrite } from '@deviceportal/contract/device-files';
import { everywhere } from '@deviceportal/contract/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessFixture } from '../support/access-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';

const LIMIT_MS = 120_000;
/** Takes long enough to be interrupted. */
const content = randomBytes(96 * 1_024 * 1_024);
const sha256 = createHash('sha256').update(content).digest('hex');
const reason = 'test of files';
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let user: PortalPerson;
let agent: AgentProgram;
let deviceId: string;
/** The exchange folder of the device, and the content that the portal stores. */
let folder: string;
let store: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  const access = await AccessFixture.open(portal, 'admin');
  const permissions = ['devices:read', 'files:read', 'files:write'];
  await access.createRole('File user', permissions, everywhere);
  await access.invite('files@deviceportal.local', 'File user');
  user = await PortalPerson.signIn(portal.url, 'files');
  const admin = await PortalPerson.signIn(portal.url);
  agent = portal.startAgent('one', await admin.createClaim('files'));
  deviceId = await admin.untilOnline(agent);
  folder = join(portal.dataDir, 'agent-one', 'files');
  store = join(portal.dataDir, 'device-files');
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

const killAgent = async (): Promise<void> => {
  await agent.program.end('SIGKILL');
};
const killServer = async (): Promise<void> => {
  await portal.server.end('SIGKILL');
};
const restart = async (): Promise<void> => {
  if (!agent.program.runs) agent.program.start();
  if (!portal.server.runs) await portal.startServer();
};

const programs = [
  ['the agent is', killAgent],
  ['the server is', killServer],
  ['both are', () => Promise.all([killAgent(), killServer()])],
] as const;

describe('a download is complete when', () => {
  test.each(programs)(
    '%s killed in the middle of it',
    async (who, kill) => {
      const path = join(folder, `read, ${who}`);
      await writeFile(path, content);
      const { id } = await user.mustOrder<{ id: string }>('deviceFiles.read', {
        ...{ deviceId, reason, path, part: 'whole' },
      });
      expect(await inMiddle(() => partsIn(store))).toBeLessThan(content.length);
      await kill();
      await restart();
      const transfer = await ended(id);
      expect(transfer).toMatchObject({ state: 'done', bytes: content.length, sha256 });
      const response = await fetch(`${portal.url}${transfer.url}`);
      expect(digestOf(Buffer.from(await response.arrayBuffer()))).toBe(sha256);
      expect(await partsIn(store)).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('an upload is complete when', () => {
  test.each(programs)(
    '%s killed while the device writes it, and never half under its name',
    async (who, kill) => {
      const path = join(folder, `written, ${who}`);
      const { id, url } = await begin(path);
      await send(url);
      expect(await inMiddle(() => partsIn(folder))).toBeLessThan(content.length);
      await kill();
      expect(await readdir(folder)).not.toContain(`written, ${who}`);
      await restart();
      expect(await ended(id)).toMatchObject({ state: 'done', failure: null, sha256 });
      expect(digestOf(await readFile(path))).toBe(sha256);
      expect(await partsIn(folder)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'the server is killed while the browser sends it',
    async () => {
      const path = join(folder, 'sent twice');
      const { id, url } = await begin(path);
      const first = send(url).catch(() => null);
      await inMiddle(() => partsIn(store));
      await killServer();
      await first;
      await restart();
      const state = await fetch(`${portal.url}${url}`);
      const { bytes } = (await state.json()) as { bytes: number };
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(content.length);
      await send(url, bytes);
      expect(await ended(id)).toMatchObject({ state: 'done', sha256 });
      expect(digestOf(await readFile(path))).toBe(sha256);
    },
    LIMIT_MS,
  );
});

test(
  'a transfer that nothing continues ends with a reason, and its parts are deleted from the store',
  async () => {
    const path = join(folder, 'never read');
    await writeFile(path, content);
    const { id } = await user.mustOrder<{ id: string }>('deviceFiles.read', {
      ...{ deviceId, reason, path, part: 'whole' },
    });
    await inMiddle(() => partsIn(store));
    await killAgent();
    await portal.sql(
      `update device_file_request set active_at = active_at - interval '6 minutes' where id = $1`,
      [id],
    );
    expect(await ended(id)).toMatchObject({ state: 'failed', failure: 'not-answered', url: null });
    await portal.sql(`update device_file_request set ended_at = ended_at - interval '2 hours'`);
    await until(async () => (await filesIn(store)).length === 0, 60_000);
    await restart();
  },
  LIMIT_MS,
);

const begin = (path: string): Promise<StartedFileWrite> =>
  user.mustOrder<StartedFileWrite>('deviceFiles.write', {
    ...{ deviceId, reason, path, bytes: content.length, overwrites: false },
  });

async function send(url: string, from = 0): Promise<void> {
  const response = await fetch(`${portal.url}${url}`, {
    ...{ method: 'PUT', body: new Uint8Array(content.subarray(from)) },
    headers: {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
    },
  });
  expect(response.status).toBe(201);
}

/** As the page follows it; retries failed calls. */
const ended = (id: string): Promise<FileTransfer> =>
  until(async () => {
    const answer = await user.ask('deviceFiles.transfer', { id }).catch(() => undefined);
    const transfer = answer?.data as FileTransfer | undefined;
    return transfer?.state === 'done' || transfer?.state === 'failed' ? transfer : undefined;
  }, 90_000);

/** Resolves as soon as a part of a file is there, with its size. */
async function inMiddle(findParts: () => Promise<readonly string[]>): Promise<number> {
  for (const endsAt = Date.now() + 20_000; Date.now() < endsAt; await sleep(1)) {
    const [part] = await findParts();
    const bytes =
      part === undefined
        ? 0
        : await stat(part).then(
            ({ size }) => size,
            () => 0,
          );
    if (bytes > 0) return bytes;
  }
  throw new Error('no part of a file was found');
}

async function filesIn(place: string): Promise<string[]> {
  const found = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

const partsIn = async (place: string): Promise<string[]> =>
  (await filesIn(place)).filter((path) => path.endsWith('.part'));

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
