import { generateKeyPairSync, sign } from 'node:crypto';
import { readdir, readFile as readOwnFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { cancelTransfer, followTransfer } from '../../src/device-files/follow-transfer.ts';
import { listFolder } from '../../src/device-files/list-folder.ts';
import { readFile } from '../../src/device-files/read-file.ts';
import { sweepDeviceFiles } from '../../src/device-files/sweep-device-files.ts';
import { writeFile as writeDeviceFile } from '../../src/device-files/write-file.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { viewerHolding } from '../support/command-fixture.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import {
  callerOf,
  filesViewer,
  openFilesFixture,
  REASON,
  type FilesFixture,
} from '../device-files/files-fixture.ts';

let fixture: FilesFixture;
let path = '';
let asked: { deviceId: string; reason: string; path: string };

beforeAll(async () => {
  fixture = await openFilesFixture();
  path = join(fixture.writable, 'file');
  await writeFile(path, 'content');
  asked = { deviceId: fixture.device.deviceId, reason: REASON, path };
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.cut(0));

const viewer = filesViewer();
const other = (permissions: Viewer['grants'][number]['permissions'], scope = everywhere): Viewer =>
  viewerHolding([{ permissions, scope }], 'another-user');
const list = { sort: 'name', isDescending: false, offset: 0 } as const;

describe('a user', () => {
  test.each([
    ['without the permission', other(['devices:read', 'files:write'])],
    [
      'for whom the device is out of scope',
      other(['files:read'], { ...everywhere, countries: ['NZ'] }),
    ],
  ])('%s neither lists nor reads', async (_who, by) => {
    const caller = callerOf(by);
    const input = { ...asked, ...list, path: fixture.writable };
    await expect(listFolder(fixture.deps, caller, input)).rejects.toMatchObject({ code: 6000 });
    const read = readFile(fixture.deps, caller, { ...asked, part: 'whole' });
    await expect(read).rejects.toMatchObject({ code: 6000 });
  });

  test('who may only read writes nothing', async () => {
    const input = { ...asked, bytes: 1, overwrites: true };
    const write = writeDeviceFile(fixture.deps, callerOf(other(['files:read'])), input);
    await expect(write).rejects.toMatchObject({ code: 6000 });
  });

  test('neither follows nor cancels the transfer of another, and loses the own one with the permission', async () => {
    const { id } = await fixture.read(path);
    const stranger = other(['files:read', 'files:write']);
    await expect(followTransfer(fixture.deps, stranger, { id })).rejects.toMatchObject({
      code: 2003,
    });
    await expect(cancelTransfer(fixture.deps, stranger, { id })).rejects.toMatchObject({
      code: 2003,
    });
    const restricted = { ...viewer, grants: [] };
    await expect(followTransfer(fixture.deps, restricted, { id })).rejects.toMatchObject({
      code: 6000,
    });
  });

  test('cannot begin more than the limit at the same time', async () => {
    fixture.cut(1_000);
    const read = () => readFile(fixture.deps, callerOf(viewer), { ...asked, part: 'whole' });
    const ends = await Promise.allSettled(Array.from({ length: 12 }, read));
    const begun = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.id] : []));
    expect(begun).toHaveLength(8);
    for (const id of begun) await cancelTransfer(fixture.deps, viewer, { id });
    fixture.cut(0);
    await until(async () => (await fixture.read(path)).state === 'done');
  }, 60_000);
});

describe('a link', () => {
  const query = (url: string): string => url.slice(url.indexOf('?'));
  const status = async (url: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(`${fixture.serverUrl}${url}`, init)).status;

  test('of one transfer opens no other one, and none in another way', async () => {
    const [one, two] = [await fixture.read(path), await fixture.read(path)];
    const links = fixture.deps.fileLinks;
    expect(await status(one.url ?? '')).toBe(200);
    expect(await status(`/device-file-contents/${one.id}${query(two.url ?? '')}`)).toBe(404);
    expect(await status(`/device-file-contents/${one.id}`)).toBe(404);
    const send = links.signDeviceUrl(one.id, 'send');
    expect(await status(send)).toBe(404);
    const facts = `&offset=0&start=0&bytes=1&total=1&sha256=${'0'.repeat(64)}`;
    const put = { method: 'PUT', body: 'x' };
    const stolen = `/device-files/${two.id}${query(send)}${facts}`;
    expect(await status(stolen, put)).toBe(404);
    // A device cannot replace what it has sent.
    expect(await status(`${send}${facts}`, put)).toBe(400);
    expect((await fixture.contentOf(one)).toString()).toBe('content');
  });

  test('works no longer when the content is deleted', async () => {
    const transfer = await fixture.read(path);
    await fixture.setup.database.pool.query(
      `update device_file_request set ended_at = ended_at - interval '61 minutes' where id = $1`,
      [transfer.id],
    );
    await sweepDeviceFiles(fixture.deps);
    expect(await status(transfer.url ?? '')).toBe(404);
    expect((await readdir(fixture.contents, { recursive: true })).join()).not.toContain(
      transfer.id,
    );
  });

  test('to upload does not fit a request that was changed in the database', async () => {
    const input = { ...asked, path: join(fixture.writable, 'wanted'), bytes: 1, overwrites: false };
    const { id, url } = await writeDeviceFile(fixture.deps, callerOf(viewer), input);
    await fixture.setup.database.pool.query(
      'update device_file_request set path = $2 where id = $1',
      [id, join(fixture.writable, 'unwanted')],
    );
    expect(await status(url, { method: 'PUT', body: 'x' })).toBe(404);
    await cancelTransfer(fixture.deps, viewer, { id });
  });
});

describe('a broker that was taken over', () => {
  const send = (request: string, statement: SignedStatement): void =>
    fixture.setup.broker.devices.publish([
      {
        ...{ deviceId: fixture.device.deviceId, channel: 'files', qos: 1 },
        payload: JSON.stringify({ kind: 'request', request, statement }),
      },
    ]);
  const base = () => ({
    ...{ authorizedBy: { id: newId() }, userName: 'x', reason: 'x', path },
    ...{
      deviceId: fixture.device.deviceId,
      startBefore: new Date(Date.now() + 60_000).toISOString(),
    },
  });
  /** What the device answers to a request that the portal has stored. */
  async function answerTo(
    statement: (request: string) => Promise<SignedStatement>,
  ): Promise<unknown> {
    const request = newId();
    await fixture.setup.database.pool.query(
      `insert into device_file_request (id, device_id, user_id, username, action, path, reason, state)
       values ($1, $2, $3, 'x', 'list', '', 'x', 'sent')`,
      [request, fixture.device.deviceId, newId()],
    );
    send(request, await statement(request));
    return until(async () => {
      const [row] = await rowsOf<{ state: string; failure: string | null }>(
        fixture.setup.database,
        'select state, failure from device_file_request where id = $1',
        [request],
      );
      return row?.state === 'sent' ? undefined : row?.failure;
    });
  }
  const own = () => fixture.deps.signing.keys.current;
  const action = {
    action: 'list',
    sort: 'name',
    isDescending: false,
    offset: 0,
    limit: 10,
  } as const;

  test('cannot sign a request itself', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = { keyId: own().keyId, sign: async (m: Uint8Array) => sign(null, m, privateKey) };
    const failure = await answerTo((request) =>
      signStatement(statementTypes.fileRequest, { ...base(), ...action, request }, key),
    );
    expect(failure).toBe('signature');
  });

  test.each([
    ['of another device', () => ({ deviceId: newId() })],
    ['that has expired', () => ({ startBefore: new Date(Date.now() - 1_000).toISOString() })],
    ['with another identifier', () => ({ request: newId() })],
  ])('cannot use a signed request %s', async (_what, change) => {
    const failure = await answerTo((request) =>
      signStatement(
        statementTypes.fileRequest,
        { ...base(), ...action, request, ...change() },
        own(),
      ),
    );
    expect(failure).toBe('signature');
  });

  test('cannot use a signature for a terminal', async () => {
    const failure = await answerTo((request) =>
      signStatement(statementTypes.terminal, { ...base(), ...action, request }, own()),
    );
    expect(failure).toBe('signature');
  });

  test('cannot have a file written again by repeating the request, also not after a restart', async () => {
    const target = join(fixture.writable, 'written-once');
    const { id } = await fixture.write(target, Buffer.from('first'));
    const [row] = await rowsOf<{ statement: SignedStatement }>(
      fixture.setup.database,
      'select statement from device_file_request where id = $1',
      [id],
    );
    await writeFile(target, 'changed since');
    await fixture.restartAgent();
    await fixture.setup.database.pool.query(
      `update device_file_request set state = 'sent' where id = $1`,
      [id],
    );
    if (row === undefined) throw new Error('no statement');
    send(id, row.statement);
    await fixture.list('');
    // Longer than it takes to write a file.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await readOwnFile(target, 'utf8')).toBe('changed since');
  });

  test('sends content nowhere else: a link is part of what is signed', async () => {
    const failure = await answerTo((request) =>
      signStatement(
        statementTypes.fileRequest,
        {
          ...{ ...base(), request, action: 'read', part: 'whole', limitBytes: 100 },
          url: '//192.0.2.1/collect',
        },
        own(),
      ),
    );
    expect(failure).toBe('signature');
  });
});

test('a device answers only its own requests', async () => {
  const request = newId();
  await fixture.setup.database.pool.query(
    `insert into device_file_request (id, device_id, user_id, username, action, path, reason, state)
     values ($1, $2, $3, 'x', 'write', '/x', 'x', 'sent')`,
    [request, newId(), newId()],
  );
  const { FileAnswers } = await import('../../src/device-files/ingest-file-answers.ts');
  const { database, changes } = fixture.setup;
  const answers = new FileAnswers({ database, changes, publish: () => {}, refuse: () => {} });
  const payload = Buffer.from(JSON.stringify({ kind: 'refused', request, reason: 'failed' }));
  await answers.take({ deviceId: fixture.device.deviceId, payload });
  const [row] = await rowsOf<{ state: string }>(
    database,
    'select state from device_file_request where id = $1',
    [request],
  );
  expect(row?.state).toBe('sent');
});

test('a planted link in place of the part of an upload is not followed', async () => {
  const secret = join(fixture.outside, 'secret');
  await writeFile(secret, 'untouched');
  const input = { ...asked, path: join(fixture.writable, 'planted'), bytes: 4, overwrites: false };
  const { id, url } = await writeDeviceFile(fixture.deps, callerOf(viewer), input);
  await symlink(secret, join(fixture.writable, `.deviceportal-${id}.part`));
  await fetch(`${fixture.serverUrl}${url}`, { method: 'PUT', body: 'evil' });
  expect((await fixture.ended(id)).state).toBe('done');
  expect(await readOwnFile(secret, 'utf8')).toBe('untouched');
  expect(await readOwnFile(join(fixture.writable, 'planted'), 'utf8')).toBe('evil');
}, 60_000);
