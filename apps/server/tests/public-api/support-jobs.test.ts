import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { seedPerson, type SeededPerson } from '../cases/case-fixture.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let client: ApiTokenClient;
let customer: SeededPerson;

const everything = [
  ...['devices:read', 'people:read', 'commands:read', 'documents:read', 'cases:read'],
  ...['cases:manage', 'commands:run:@reads', 'commands:run:@changes'],
];

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  const support = await AccessFixture.open(portal, 'support');
  client = await ApiTokenClient.personal(portal.url, support, { permissions: everything });
  customer = await seedPerson(database, 'Maria Gomez');
  await seedDevices(database, [
    { serialNumber: 'API-0001', name: 'till 1', country: 'DE', connectivity: 'offline' },
    { serialNumber: 'API-0002', name: 'till 2', country: 'FR', connectivity: 'offline' },
    { serialNumber: 'API-0003', name: 'till 3', country: 'FR', lifecycle: 'suspended' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const newRun = (devices: readonly string[], more: object = {}) => ({
  ...{ command: 'logs/tail', devices, reason: 'ticket 4711' },
  ...more,
});
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

type Devices = OperationOutput<'listDevices'>;
type Run = OperationOutput<'getRun'>;

describe('devices', () => {
  test('are found by filters, page by page', async () => {
    const serials: (string | null)[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { readonly body: Devices } = await client.get(
        `/devices?country=FR&country=DE&text=till&sort=serialNumber&descending=false&pageSize=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      serials.push(...page.body.items.map(({ serialNumber }) => serialNumber));
      cursor = page.body.nextCursor;
    }
    expect(serials).toEqual(['API-0001', 'API-0002', 'API-0003']);
  });

  test('a device is read by its serial number, with what is wrong', async () => {
    const { status, body } = await client.get('/devices/api-0001');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ...{ serialNumber: 'API-0001', connectivity: 'offline', expectedBack: null },
        problems: [{ code: 'offline', severity: expect.any(String) }],
      },
    });
  });

  test('a device that does not exist is error 6000, as in the portal', async () => {
    expect(await client.get('/devices/NONE-1')).toMatchObject({
      status: 404,
      error: { code: 6000, name: 'deviceNotFound', requestId: expect.any(String) },
    });
  });

  test.each([
    ['an unknown parameter', 'contry=DE', []],
    ['a state that does not exist', 'connectivity=gone', ['connectivity', 0]],
    ['a page that is too large', 'pageSize=101', ['pageSize']],
  ])('%s is rejected with its field', async (_what, query, path) => {
    const { status, error } = await client.get(`/devices?${query}`);
    expect({ status, code: error?.code, path: error?.issues[0]?.path }).toEqual({
      ...{ status: 400, code: 2004, path },
    });
  });
});

describe('commands', () => {
  test('a command is run on devices, read with its invocations, and canceled', async () => {
    const made = await client.post<Run>('/runs', newRun(['API-0001', 'api-0002']), keyed());
    expect(made).toMatchObject({
      status: 201,
      body: { command: 'logs/tail', reason: 'ticket 4711', devices: { total: 2 } },
    });
    const { id } = made.body;
    const { body: list } = await client.get<OperationOutput<'listRunInvocations'>>(
      `/runs/${id}/invocations?state=Pending`,
    );
    expect(list.items.map(({ device }) => device.serialNumber).toSorted()).toEqual([
      ...['API-0001', 'API-0002'],
    ]);
    expect((await client.get(`/invocations/${list.items[0]?.id}`)).body).toMatchObject({
      ...{ runId: id, stdout: { text: '', total: 0 }, steps: expect.any(Array) },
    });
    expect((await client.get('/devices/API-0001/invocations')).body).toMatchObject({
      items: [{ runId: id }],
    });
    await client.post(`/runs/${id}/cancel`);
    expect((await client.get<Run>(`/runs/${id}`)).body.state).toBe('Cancelled');
    expect((await client.get(`/runs/${id}/report`)).body).toMatchObject({
      ...{ run: { id }, invocations: [{ state: 'Cancelled' }, { state: 'Cancelled' }] },
      complete: true,
    });
    expect((await client.get('/runs?mine=true')).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id })]),
    });
  });

  test('the same key creates one run, and is rejected with another body', async () => {
    const headers = keyed('retry-1');
    const [one, two] = await Promise.all([
      client.post<Run>('/runs', newRun(['API-0001']), headers),
      client.post<Run>('/runs', newRun(['API-0001']), headers),
    ]);
    await database.orm.execute(
      sql`update device set lifecycle = 'suspended' where serial_number = 'API-0001'`,
    );
    const again = await client.post<Run>('/runs', newRun(['API-0001']), headers);
    await database.orm.execute(
      sql`update device set lifecycle = 'active' where serial_number = 'API-0001'`,
    );
    expect(again.status).toBe(201);
    const made = [one, two, again].filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    const others = [one, two].filter(({ status }) => status !== 201);
    expect(others.every(({ error }) => error?.reason === 'idempotency-key-in-use')).toBe(true);
    const other = await client.post('/runs', newRun(['API-0002']), headers);
    expect(other).toMatchObject({
      ...{ status: 422, error: { code: 2004, reason: 'idempotency-key-reused' } },
    });
    expect(await client.post('/runs', newRun(['API-0001']))).toMatchObject({
      ...{ status: 400, error: { reason: 'idempotency-key-missing' } },
    });
  });

  test('a rejected request gives its key back', async () => {
    const headers = keyed('retry-2');
    const wrong = await client.post('/runs', newRun(['NONE-1']), headers);
    expect(wrong).toMatchObject({ status: 404, error: { reason: 'devices-not-found' } });
    expect((await client.post('/runs', newRun(['API-0001']), headers)).status).toBe(201);
  });

  test.each([
    ['a missing permission', { command: 'restart/device' }],
    ['a document that does not exist', { command: 'document', document: 'None-such' }],
    ['a parameter that does not exist', { parameters: { nonsense: 1 } }],
  ])('a request that is rejected for %s gives its key back', async (what, more) => {
    const headers = keyed(`retry-${what.replaceAll(' ', '-')}`);
    const wrong = await client.post('/runs', newRun(['API-0001'], more), headers);
    expect(wrong.error).toMatchObject({ code: expect.any(Number) });
    expect((await client.post('/runs', newRun(['API-0001']), headers)).status).toBe(201);
  });

  test('a device that cannot run it is named, and left out only if asked', async () => {
    const both = newRun(['API-0001', 'API-0003']);
    expect(await client.post('/runs', both, keyed())).toMatchObject({
      ...{ status: 400, error: { reason: 'devices-unavailable' } },
      error: { message: expect.stringContaining('suspended (1)') },
    });
    const made = await client.post('/runs', { ...both, skipUnavailable: true }, keyed());
    expect(made).toMatchObject({ status: 201, body: { devices: { total: 1 } } });
  });

  test('commands and documents are listed as the token can use them', async () => {
    const { body } = await client.get<OperationOutput<'listCommands'>>('/commands');
    const allowed = new Map(body.items.map(({ command, ...each }) => [command, each.allowed]));
    expect([allowed.get('logs/tail'), allowed.get('restart/device')]).toEqual([true, false]);
    const { document = '' } = body.items.find(({ command }) => command === 'logs/tail') ?? {};
    expect((await client.get(`/documents/${document}`)).body).toMatchObject({
      ...{ name: document, parameters: expect.any(Array), versions: [{ version: 1 }] },
    });
    expect((await client.get('/documents?text=logs')).status).toBe(200);
  });
});

describe('cases', () => {
  test('a case is opened, worked on, and closed', async () => {
    const opened = await client.post<OperationOutput<'openCase'>>('/cases', {
      ...{ personId: customer.id, ticket: 'T-1', about: 'till is dark' },
    });
    expect(opened).toMatchObject({
      ...{ status: 201, body: { state: 'open', person: { name: 'Maria Gomez' } } },
    });
    const { id } = opened.body;
    const note = { text: 'a new cable' };
    await client.post(`/cases/${id}/entries`, note, keyed('note-1'));
    await client.post(`/cases/${id}/entries`, note, keyed('note-1'));
    const made = await client.post('/runs', newRun(['API-0001'], { caseId: id }), keyed());
    expect(made.status).toBe(201);
    const { body } = await client.get<OperationOutput<'listCaseEntries'>>(`/cases/${id}/entries`);
    expect(body.items.map(({ kind }) => kind)).toEqual(['command', 'note', 'opened']);
    const closed = await client.post(`/cases/${id}/close`, { outcome: 'resolved', text: 'fixed' });
    expect(closed).toMatchObject({ status: 200, body: { state: 'closed', outcome: 'resolved' } });
    expect((await client.get('/cases?mine=true&state=closed')).body).toMatchObject({
      items: [{ id }],
    });
    const late = await client.post('/runs', newRun(['API-0001'], { caseId: id }), keyed());
    expect(late).toMatchObject({ status: 404, error: { code: 2003 } });
  });
});

test('the command of a service in a case is an entry of the case, and once', async () => {
  const admin = await AccessFixture.open(portal, 'admin');
  const service = await ApiTokenClient.service(portal.url, admin, {
    ...{ name: 'monitoring', roles: ['Support'] },
  });
  const { id: personId } = await seedPerson(database, 'Elif Kaya');
  const { body } = await service.post<OperationOutput<'openCase'>>('/cases', { personId });
  const made = await service.post<Run>('/runs', newRun(['API-0001'], { caseId: body.id }), keyed());
  expect(made.status).toBe(201);
  const entries = await service.get<OperationOutput<'listCaseEntries'>>(
    `/cases/${body.id}/entries`,
  );
  expect(entries.body.items.map(({ kind, runId, actor }) => [kind, runId, actor])).toEqual([
    ['command', made.body.id, 'service-token:monitoring'],
    ['opened', null, 'service-token:monitoring'],
  ]);
});

test('a search finds devices and people', async () => {
  const { body } = await client.get<OperationOutput<'search'>>('/search?q=maria%20gomez');
  expect(body.groups.map(({ kind }) => kind)).toContain('person');
});
