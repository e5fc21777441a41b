import { randomUUID } from 'node:crypto';
import type { ImportDetail } from '@deviceportal/contract/imports';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { ApiTokenClient, type PublicAnswer } from '../api-tokens/api-token-client.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;
let client: ApiTokenClient;
/** Serial numbers of each test are its own. */
let prefix: string;

type Import = Pick<ImportDetail, 'id' | 'state' | 'counts' | 'problem' | 'canUndo'>;
interface Row {
  readonly line: number;
  readonly outcome: string;
  readonly key: string | null;
  readonly problem: { readonly column: string | null; readonly reason: string } | null;
}

const managing = ['devices:read', 'devices:manage'];

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  client = await ApiTokenClient.personal(portal.url, admin, { permissions: managing });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});
beforeEach(() => {
  prefix = `API${randomUUID().slice(0, 6).toUpperCase()}`;
});

const devices = { kind: 'devices', fileName: 'devices.csv' };

async function upload(by: ApiTokenClient, content: string): Promise<string> {
  const created = await by.post<{ id: string; uploadUrl: string }>('/imports', devices);
  expect(created.status).toBe(201);
  const { id, uploadUrl } = created.body;
  const stored = await fetch(`${portal.url}${uploadUrl}`, { method: 'PUT', body: content });
  expect(stored.status).toBe(204);
  return id;
}

async function step(by: ApiTokenClient, id: string, action: string): Promise<PublicAnswer<Import>> {
  return by.post<Import>(`/imports/${id}/${action}`);
}

async function finish(by: ApiTokenClient, id: string): Promise<Import> {
  for (;;) {
    const { status, body } = await step(by, id, 'advance');
    expect(status).toBe(200);
    if (!['checking', 'applying', 'undoing'].includes(body.state)) return body;
  }
}

const rowsOf = async (by: ApiTokenClient, id: string): Promise<readonly Row[]> =>
  (await by.get<{ items: readonly Row[] }>(`/imports/${id}/rows`)).body.items;

const namesOf = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from device where serial_number like $1 order by serial_number',
    [`${prefix}%`],
  );
  return rows.map(({ name }) => name);
};

describe('a file of devices', () => {
  test('is checked with its bad rows, and writes nothing until it is confirmed', async () => {
    const id = await upload(
      client,
      `serialNumber,name,country,owner,color\n${prefix}1,one,DE,,red\nx,two,,,\n${prefix}3,three,Nowhere,,\n${prefix}1,again,,,\n`,
    );
    const checked = await finish(client, id);
    expect(checked).toMatchObject({ state: 'ready', counts: { rows: 4, new: 1, refused: 3 } });
    const rows = await rowsOf(client, id);
    expect(rows.map(({ line, outcome, problem }) => [line, outcome, problem?.column])).toEqual([
      [3, 'refused', 'serialNumber'],
      [4, 'refused', 'country'],
      [5, 'refused', 'serialNumber'],
      [2, 'new', undefined],
    ]);
    const refused = await client.get<{ items: readonly Row[] }>(
      `/imports/${id}/rows?show=refused&pageSize=2`,
    );
    expect(refused.body.items).toHaveLength(2);
    expect(await namesOf()).toEqual([]);
  });

  test('is written once, however often it is confirmed, and changes nothing the second time', async () => {
    const content = `serialNumber,name\n${prefix}1,one\n${prefix}2,two\n`;
    const id = await upload(client, content);
    await finish(client, id);
    const [first, second] = [await step(client, id, 'confirm'), await step(client, id, 'confirm')];
    expect([first.status, second.status]).toEqual([200, 200]);
    const applied = await finish(client, id);
    expect(applied).toMatchObject({ state: 'applied', counts: { applied: 2 }, canUndo: true });
    expect((await step(client, id, 'confirm')).body).toMatchObject({ counts: { applied: 2 } });
    expect(await namesOf()).toEqual(['one', 'two']);
    const again = await finish(client, await upload(client, content));
    expect(again.counts).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
    const { rows } = await database.pool.query(
      `select count(*)::int as n from audit_event where type = 'device.created' and request_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('is undone, and only once', async () => {
    const id = await upload(client, `serialNumber,name\n${prefix}1,one\n`);
    await finish(client, id);
    await step(client, id, 'confirm');
    await finish(client, id);
    expect((await step(client, id, 'undo')).status).toBe(200);
    expect(await finish(client, id)).toMatchObject({ state: 'undone', counts: { undone: 1 } });
    expect(await namesOf()).toEqual([]);
    expect((await step(client, id, 'undo')).body).toMatchObject({ counts: { undone: 1 } });
    expect((await step(client, id, 'confirm')).status).toBe(400);
  });

  test.each([
    ['without a header that is known', 'a,b\n1,2\n'],
    ['with quotes that do not end', 'serialNumber,name\n"x,y\n'],
  ])('%s is rejected, with the reason', async (_what, content) => {
    const rejected = await finish(client, await upload(client, content));
    expect(rejected.state).toBe('rejected');
    expect(rejected.problem).toMatchObject({ message: expect.stringMatching(/./) });
  });

  test('that was discarded is not confirmed', async () => {
    const id = await upload(client, `serialNumber,name\n${prefix}1,one\n`);
    await finish(client, id);
    expect((await step(client, id, 'discard')).body).toMatchObject({ state: 'discarded' });
    expect((await step(client, id, 'confirm')).status).toBe(400);
    expect(await namesOf()).toEqual([]);
  });
});

describe('a token', () => {
  test('without the permission creates and reads no imports', async () => {
    const reader = await ApiTokenClient.personal(portal.url, admin, {
      permissions: ['devices:read'],
    });
    const id = await upload(client, `serialNumber\n${prefix}1\n`);
    const answers = [
      await reader.post('/imports', devices),
      await reader.get('/imports'),
      await reader.get(`/imports/${id}`),
      await reader.get(`/imports/${id}/rows`),
      await step(reader, id, 'advance'),
      await step(reader, id, 'confirm'),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, error: { code: 1000 } });
  });

  test('imports no people, because it cannot pass a second step', async () => {
    const answer = await client.post('/imports', { kind: 'people', fileName: 'people.csv' });
    expect(answer).toMatchObject({ status: 403, error: { code: 1000 } });
  });

  test('changes and adds no device outside its scope', async () => {
    const all = await upload(client, `serialNumber,name,country\n${prefix}1,one,FR\n`);
    await finish(client, all);
    await step(client, all, 'confirm');
    await finish(client, all);
    const german = await ApiTokenClient.personal(portal.url, admin, {
      ...{ permissions: managing, scope: { countries: ['DE'] } },
    });
    const id = await upload(
      german,
      `serialNumber,name,country\n${prefix}1,taken,\n${prefix}2,two,FR\n${prefix}3,three,DE\n`,
    );
    const checked = await finish(german, id);
    expect(checked.counts).toMatchObject({ new: 1, refused: 2 });
    await step(german, id, 'confirm');
    await finish(german, id);
    expect(await namesOf()).toEqual(['one', 'three']);
  });

  test('of a service does not see the imports of users, and has its own', async () => {
    await admin.createRole(`Importers ${prefix}`, managing);
    const service = await ApiTokenClient.service(portal.url, admin, {
      roles: [`Importers ${prefix}`],
    });
    const id = await upload(client, `serialNumber\n${prefix}1\n`);
    expect(await service.get(`/imports/${id}`)).toMatchObject({ status: 404 });
    const own = await upload(service, `serialNumber,name\n${prefix}9,own\n`);
    await finish(service, own);
    await step(service, own, 'confirm');
    expect((await finish(service, own)).state).toBe('applied');
    const { rows } = await database.pool.query(
      `select actor_kind as kind from audit_event where type = 'device.created' and request_id = $1`,
      [own],
    );
    expect(rows).toEqual([{ kind: 'system' }]);
  });
});
