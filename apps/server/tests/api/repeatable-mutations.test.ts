import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRepeatable, repeatableMutations } from '@deviceportal/contract/repeatable-mutations';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { seedPerson } from '../cases/case-fixture.ts';
import { rowsOf } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let person: PortalPerson;
let deviceId: string;
let caseId: string;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  const maria = await seedPerson(database, 'Maria Gomez');
  deviceId = maria.deviceIds[0] ?? '';
  person = await PortalPerson.signIn(portal.url);
  inputs['cases.open'] = { personId: maria.id };
  ({ id: caseId } = await person.mustOrder<{ id: string }>('cases.open', inputs['cases.open']));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** In an order in which each one changes something. */
const inputs: Record<string, unknown> = {
  'cases.leave': undefined,
  'cases.open': undefined,
  get 'cases.enter'() {
    return { id: caseId };
  },
  get 'cases.assign'() {
    return { id: caseId, assigneeId: null };
  },
  get 'cases.close'() {
    return { id: caseId, outcome: 'resolved', text: 'a new cable' };
  },
  get 'cases.reopen'() {
    return { id: caseId };
  },
  'commands.setFavorite': { command: 'shell', favorite: true },
  get 'devices.update'() {
    return { id: deviceId, name: 'Till 4' };
  },
  'notifications.markRead': { ids: null },
  'notifications.saveSetting': { kind: 'run-ended', portal: true, message: true },
  get 'notifications.waitForDevice'() {
    return { deviceId, wait: true };
  },
  get 'presence.announce'() {
    return { deviceId };
  },
  'session.savePreferences': { theme: 'dark' },
  get 'session.remember'() {
    return { kind: 'device', id: deviceId, label: 'Till 4' };
  },
  'session.endOtherSignIns': undefined,
};

const countRecorded = async (): Promise<number> =>
  (await rowsOf(database, 'select from audit_event')).length;

test('each repeatable mutation is tried here', () => {
  expect(new Set(Object.keys(inputs))).toEqual(repeatableMutations);
});

/** As text, without the time of the answer. */
const order = async (path: string): Promise<string> =>
  JSON.stringify((await person.mustOrder(path, inputs[path])) ?? null).replaceAll(
    /"checkedAt":"[^"]*"/g,
    '',
  );

test.each(Object.keys(inputs))(
  '%s gives the same a second time and records nothing',
  async (path) => {
    const first = await order(path);
    const recorded = await countRecorded();
    expect(await order(path)).toBe(first);
    expect(await countRecorded()).toBe(recorded);
  },
);

test('any other mutation is repeatable by its idempotency key alone', () => {
  expect(isRepeatable('commands.run', { idempotencyKey: 'x' })).toBe(true);
  expect(isRepeatable('commands.run', {})).toBe(false);
  expect(isRepeatable('devices.addNote', undefined)).toBe(false);
});
