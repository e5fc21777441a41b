import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PersonRecordExport } from '@deviceportal/contract/personal-data';
import type { AccessFixture } from '../support/access-fixture.ts';
import { createPersonalDataFixture, type PersonalDataFixture } from './personal-data-fixture.ts';

interface PersonRecord {
  readonly format: string;
  readonly parts: readonly { readonly name: string; readonly rows: readonly object[] }[];
}

let fixture: PersonalDataFixture;
let number = 0;
let address = '';

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  address = `maria-quill-${number}@example.com`;
});

const open = (path: string) => fetch(new URL(path, fixture.portal.url));

async function read({ downloadUrl }: PersonRecordExport): Promise<PersonRecord> {
  const answer = await open(downloadUrl);
  expect(answer.status).toBe(200);
  return (await answer.json()) as PersonRecord;
}

const partsOf = ({ parts }: PersonRecord) =>
  Object.fromEntries(
    [...Map.groupBy(parts, ({ name }) => name)].map(([name, found]) => [
      name,
      found.flatMap(({ rows }) => rows),
    ]),
  );

async function doSomething(setup: AccessFixture): Promise<void> {
  await setup.done('devices.createClaim', {});
  await setup.done('devices.saveView', { name: 'mine', screen: 'devices', search: { q: 'a' } });
}

test('[record-1] the record of a user contains the account, their actions, and their data, but no secrets', async () => {
  const [user, setup] = await fixture.user(address, 'Administrator');
  await doSomething(setup);
  const made = await fixture.admin.done<PersonRecordExport>('personalData.export', {
    ...{ kind: 'user', id: user.id },
  });
  const record = await read(made);
  const parts = partsOf(record);
  expect(record.format).toBe('device-portal-person-record');
  expect(parts['identity.account']).toMatchObject([{ email: address }]);
  expect(parts['portal_user']).toMatchObject([{ id: user.id, username: address }]);
  expect(parts['claim']).toMatchObject([{ created_by: address }]);
  expect(parts['saved_view']).toMatchObject([{ name: 'mine' }]);
  const types = (parts['audit_event'] ?? []).map((event) => (event as { type: string }).type);
  expect(types).toEqual(expect.arrayContaining(['access.signed-in', 'device.claim-created']));
  const about = (parts['audit_event_about'] ?? []).map((event) => (event as { type: string }).type);
  expect(about).toContain('access.user-invited');
  expect(JSON.stringify(record)).not.toMatch(/"[^"]*(hash|secret|password|sealed)[^"]*":"/);
  const [event] = await fixture.admin.trail('people.record-exported');
  expect(event?.data).toMatchObject({ userId: user.id, rows: made.rows });
});

test('the record of a customer contains their devices, locations, and cases', async () => {
  const { id, deviceId } = await fixture.customer(`Carla Quill${number}`);
  await fixture.admin.done('cases.open', { personId: id, about: 'cannot sign in' });
  const made = await fixture.admin.done<PersonRecordExport>('personalData.export', {
    ...{ kind: 'customer', id },
  });
  const parts = partsOf(await read(made));
  expect(parts).toMatchObject({
    person: [{ id }],
    device: [{ id: deviceId }],
    geolocation: [{ device_id: deviceId }],
    support_case: [{ about: 'cannot sign in' }],
  });
});

test('[record-3] every user can export their own record, but not the records of others', async () => {
  const [user, setup] = await fixture.user(address, 'Viewer');
  const own = await setup.done<PersonRecordExport>('personalData.exportOwn');
  expect(partsOf(await read(own))['portal_user']).toMatchObject([{ id: user.id }]);
  const refused = await setup.order('personalData.export', { kind: 'user', id: user.id });
  expect(refused.code).toBe(1000);
});

test('the link is valid only for the user who created it, and the file is deleted when the person is erased', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  const made = await fixture.admin.done<PersonRecordExport>('personalData.export', {
    ...{ kind: 'user', id: user.id },
  });
  expect((await open(`/person-records/${made.fileName}`)).status).not.toBe(200);
  // The last character contains bits that do not belong to the signature: change the one before.
  const forged = made.downloadUrl.replace(/.(?=.$)/, (each) => (each === 'A' ? 'B' : 'A'));
  expect((await open(forged)).status).not.toBe(200);
  await fixture.leave(user);
  await fixture.erase({ kind: 'user', id: user.id, username: user.username });
  expect((await open(made.downloadUrl)).status).toBe(404);
});
