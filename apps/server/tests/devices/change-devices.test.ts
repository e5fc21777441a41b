import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { changeLifecycle } from '../../src/devices/change-lifecycle.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import type { DevicesDependencies } from '../../src/devices/devices-dependencies.ts';
import { exportDevices } from '../../src/devices/list/export-devices.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import { addNote, listNotes, removeNote } from '../../src/devices/device-notes.ts';
import { createTargetList, getTargetList } from '../../src/devices/list/target-lists.ts';
import { listViews, removeView, saveView } from '../../src/devices/list/saved-views.ts';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { createFleetSummary } from '../../src/devices/list/summarize-fleet.ts';
import { suggestValues } from '../../src/devices/list/suggest-values.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { listPeople } from '../../src/people/list-people.ts';
import { getPerson } from '../../src/people/get-person.ts';
import { trackDevice } from '../../src/locations/track-device.ts';
import { createLocalChangeFeed, type Change } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { withOpenedNames } from '../support/audit/with-opened-names.ts';
import { administrator, callerOf, limitedTo, viewerWith } from './viewer-with.ts';

let db: TestDatabase;
let deps: DevicesDependencies;
let ids: ReadonlyMap<string, string>;
const published: Change[] = [];
const caller = callerOf(administrator);
const polish = limitedTo({ countries: ['PL'] }, [
  'devices:read',
  'devices:manage',
  'people:read',
  'locations:read',
]);

beforeAll(async () => {
  db = await createTestDatabase();
  const changes = createLocalChangeFeed((error) => {
    throw error;
  });
  changes.subscribe((change) => published.push(change));
  const clock = () => new Date('2026-11-20T12:00:00Z');
  deps = {
    database: db.database,
    changes,
    clock,
    installCommand: async (token: string) => `install --claim ${token}`,
  };
  ids = await createDevices(deps, {
    people: [
      {
        username: 'anna',
        name: 'Anna Berg',
        email: 'Anna@example.com',
        phone: '+4915112345',
        country: 'DE',
        language: 'de',
      },
      {
        username: 'bo',
        name: 'Bo Chen',
        email: 'bo@example.com',
        phone: null,
        country: 'PL',
        language: 'en',
      },
    ],
    devices: [
      {
        serialNumber: 'SN100001',
        name: 'kiosk one',
        model: 'kiosk',
        owner: 'anna',
        country: 'DE',
        labels: { env: 'prod' },
        place: { latitude: 52.5163, longitude: 13.3777, accuracyMeters: 12, source: 'gps' },
        software: [{ component: 'firmware', version: '4.17.9' }],
      },
      {
        serialNumber: 'DP200002',
        name: '=cmd|danger',
        model: 'kiosk',
        owner: 'bo',
        country: 'PL',
        labels: { env: 'test' },
      },
      { serialNumber: 'DP200003', name: 'spare, "old"', model: 'meter', country: 'PL', labels: {} },
    ],
  });
});
beforeEach(() => {
  published.length = 0;
});
afterAll(() => db[Symbol.asyncDispose]());

const idOf = (serialNumber: string) => ids.get(serialNumber) ?? '';

async function foundBy(
  filter: Parameters<typeof deviceFilterSchema.parse>[0],
): Promise<(string | null)[]> {
  const input = { sort: 'serialNumber' as const, descending: false, pageSize: 25, cursor: null };
  const page = await listDevices(deps, administrator, {
    ...input,
    filter: deviceFilterSchema.parse(filter),
  });
  return page.rows.map((row) => row.serialNumber);
}

async function lastAudit(deviceId: string) {
  const { rows } = await db.database.pool.query(
    'select type, actor_name, request_id, data from audit_event where device_id = $1 order by id desc limit 1',
    [deviceId],
  );
  return (await withOpenedNames(db.database, rows))[0];
}

test('a device outside the scope does not exist: not by ID, serial number, list, change, or note', async () => {
  const german = idOf('SN100001');
  const gone = { code: 6000 };
  await expect(getDevice(deps, polish, german)).rejects.toMatchObject(gone);
  await expect(getDevice(deps, polish, 'SN100001')).rejects.toMatchObject(gone);
  await expect(
    updateDevice(deps, callerOf(polish), { id: german, name: 'x' }),
  ).rejects.toMatchObject(gone);
  await expect(
    changeLifecycle(deps, callerOf(polish), { id: german, reason: '', act: 'retire' }),
  ).rejects.toMatchObject(gone);
  await expect(listNotes(deps, polish, german)).rejects.toMatchObject(gone);
  await expect(
    trackDevice(deps, callerOf(polish), { deviceId: german, limit: 5 }),
  ).rejects.toMatchObject(gone);
  const people = await listPeople(deps, polish, { text: '', pageSize: 25, cursor: null });
  expect(people.rows.map((row) => row.name)).toEqual(['Bo Chen']);
});

test('rejects a change that moves a device out of the caller’s scope', async () => {
  const wanted = updateDevice(deps, callerOf(polish), { id: idOf('DP200003'), country: 'DE' });
  await expect(wanted).rejects.toMatchObject({ code: 1000 });
  expect((await getDevice(deps, polish, 'DP200003')).country).toBe('PL');
});

test('a change is found by every filter immediately, and recorded with before and after', async () => {
  const id = idOf('DP200003');
  await updateDevice(deps, caller, { id, name: 'Front desk', labels: { floor: '3rd' } });
  expect(await foundBy({ text: 'front desk' })).toEqual(['DP200003']);
  expect(await foundBy({ text: '3rd' })).toEqual(['DP200003']);
  expect(await foundBy({ text: 'spare' })).toEqual([]);
  expect(
    await foundBy({ tokens: [{ key: 'label', operator: '=', values: ['floor:3rd'] }] }),
  ).toEqual(['DP200003']);
  expect(await lastAudit(id)).toEqual({
    type: 'device.labels-changed',
    actor_name: administrator.username,
    request_id: 'request-1',
    data: { before: {}, after: { floor: '3rd' } },
  });
  expect(published).toContainEqual({ kind: 'device-changed', deviceIds: [id] });
  published.length = 0;
  await updateDevice(deps, caller, { id, name: 'Front desk', labels: { floor: '3rd' } });
  expect(published).toEqual([]);
});

test('an owner who does not exist is an invalid parameter', async () => {
  const wanted = updateDevice(deps, caller, { id: idOf('DP200003'), ownerId: newId() });
  await expect(wanted).rejects.toMatchObject({ code: 2004, issues: [{ path: ['ownerId'] }] });
});

test('suspending blocks, resuming reverts, retiring is final', async () => {
  const id = idOf('DP200002');
  const act = (name: 'suspend' | 'resume' | 'retire') =>
    changeLifecycle(deps, caller, { id, reason: 'stolen', act: name });
  expect((await act('suspend')).lifecycle).toBe('suspended');
  expect(published).toContainEqual({ kind: 'devices-blocked', deviceIds: [id] });
  expect(
    await foundBy({ tokens: [{ key: 'lifecycle', operator: '=', values: ['suspended'] }] }),
  ).toEqual(['DP200002']);
  expect((await act('resume')).lifecycle).toBe('pending');
  const retired = await act('retire');
  expect(retired).toMatchObject({ lifecycle: 'retired', verdicts: [{ code: 'retired' }] });
  expect(await lastAudit(id)).toMatchObject({
    type: 'device.retired',
    data: { reason: 'stolen', before: 'pending' },
  });
  await expect(act('resume')).rejects.toMatchObject({ code: 2004 });
  await expect(updateDevice(deps, caller, { id, name: 'x' })).rejects.toMatchObject({ code: 2004 });
});

test('a note can be deleted only by its author or with devices:manage', async () => {
  const deviceId = idOf('DP200003');
  const note = await addNote(deps, caller, { deviceId, text: 'Called twice.' });
  const reader = viewerWith(limitedTo({}, ['devices:read']).grants, { userId: newId() });
  expect(await listNotes(deps, reader, deviceId)).toEqual([{ ...note, mine: false }]);
  await expect(removeNote(deps, callerOf(reader), note.id)).rejects.toMatchObject({ code: 2003 });
  await removeNote(deps, caller, note.id);
  expect(await listNotes(deps, reader, deviceId)).toEqual([]);
});

test('a view is visible to its owner, or shared with a role of the owner', async () => {
  const mine = await saveView(deps, caller, {
    name: 'Mine',
    screen: 'devices',
    search: { q: 'country=PL' },
    sharedWithRole: null,
  });
  const shared = await saveView(deps, caller, {
    name: 'Ours',
    screen: 'devices',
    search: {},
    sharedWithRole: 'Support',
  });
  const support = viewerWith([], { userId: newId(), roles: ['Support'] });
  const names = (await listViews(deps, support, 'devices')).filter((view) => !view.builtin);
  expect(names).toEqual([{ ...shared, mine: false }]);
  await expect(
    saveView(deps, callerOf(support), {
      id: mine.id,
      name: 'Taken',
      screen: 'devices',
      search: {},
      sharedWithRole: null,
    }),
  ).rejects.toMatchObject({ code: 2003 });
  await expect(
    saveView(deps, callerOf(support), {
      name: 'Up',
      screen: 'devices',
      search: {},
      sharedWithRole: 'Administrator',
    }),
  ).rejects.toMatchObject({ code: 1000 });
  await removeView(deps, caller, shared.id);
  const trail = await db.database.orm.execute<{ type: string; data: Record<string, unknown> }>(sql`
    select type, data from audit_event where type like 'settings.%' order by id`);
  expect(trail.rows.map(({ type, data }) => [type, data['view'], data['before'] === null])).toEqual(
    [
      ['settings.view-saved', 'Mine', true],
      ['settings.view-saved', 'Ours', true],
      ['settings.view-removed', 'Ours', false],
    ],
  );
  expect((await listViews(deps, support, 'devices')).every((view) => view.builtin)).toBe(true);
});

test('a pasted list is normalized, without duplicates, and compared with the devices in scope', async () => {
  const text =
    'SN100001; dp200002，ＤＰ２００００３\nSN: DP200003\tSN DP200002 MISSING1 SNDP200002';
  const list = await createTargetList(deps, administrator, { name: 'Friday', text });
  expect(list).toMatchObject({
    name: 'Friday',
    count: 4,
    found: 3,
    missing: ['MISSING1'],
    missingCount: 1,
  });
  expect(await foundBy({ targetListId: list.id })).toEqual(['DP200002', 'DP200003', 'SN100001']);
  expect(await getTargetList(deps, polish, list.id)).toMatchObject({
    found: 2,
    missing: ['MISSING1', 'SN100001'],
  });
  await expect(
    createTargetList(deps, administrator, { name: '', text: ' , ; ' }),
  ).rejects.toMatchObject({ code: 2004 });
});

test('100,000 serial numbers are accepted, one more is not', async () => {
  const serials = Array.from({ length: 100_000 }, (_, n) => `BULK${n}`);
  const list = await createTargetList(deps, administrator, { name: '', text: serials.join('\n') });
  expect(list).toMatchObject({ count: 100_000, found: 0, missingCount: 100_000 });
  const text = `${serials.join('\n')}\nONEMORE`;
  await expect(createTargetList(deps, administrator, { name: '', text })).rejects.toMatchObject({
    code: 2004,
  });
});

test('the export quotes cells as needed and contains no formula', async () => {
  const result = await exportDevices(deps, callerOf(administrator), {
    filter: deviceFilterSchema.parse({
      tokens: [{ key: 'serialNumber', operator: '^', values: ['DP2'] }],
    }),
    sort: 'serialNumber',
    descending: false,
  });
  expect(result).toMatchObject({ count: 2, truncated: false, fileName: 'devices-2026-11-20.csv' });
  expect(result.text.split('\r\n')[1]).toMatch(/^DP200002,'=cmd\|danger,never,/);
});

test('locations are rounded without locations:read-precise, and precise views are recorded', async () => {
  const deviceId = idOf('SN100001');
  const rounded = await trackDevice(deps, callerOf(limitedTo({}, ['locations:read'])), {
    deviceId,
    limit: 5,
  });
  expect(rounded).toMatchObject([{ latitude: 52.5, longitude: 13.4, precise: false }]);
  expect((await lastAudit(deviceId)).type).not.toBe('device.location-viewed');
  const precise = await trackDevice(deps, caller, { deviceId, limit: 5 });
  expect(precise).toMatchObject([
    { latitude: 52.5163, longitude: 13.3777, accuracyMeters: 12, precise: true },
  ]);
  expect((await lastAudit(deviceId)).type).toBe('device.location-viewed');
});

test('people are found by parts of their attributes, and masked without people:read', async () => {
  const found = async (text: string) =>
    (await listPeople(deps, administrator, { text, pageSize: 25, cursor: null })).rows.map(
      (row) => row.username,
    );
  expect(await found('berg')).toEqual(['anna']);
  expect(await found('ANNA@ex')).toEqual(['anna']);
  expect(await found('+49 151')).toEqual(['anna']);
  expect(await found('nobody')).toEqual([]);
  const masking = limitedTo({}, ['devices:read']);
  const [person] = (await listPeople(deps, masking, { text: '', pageSize: 1, cursor: null })).rows;
  expect(person).toMatchObject({ name: 'A••• B•••', email: 'A•••@•••', phone: '•••45' });
  expect(
    (await listPeople(deps, masking, { text: 'berg', pageSize: 25, cursor: null })).rows,
  ).toEqual([]);
  expect((await getPerson(deps, masking, person?.id ?? '')).name).toBe('A••• B•••');
});

test('the summary counts the scope without retired devices', async () => {
  const summary = await createFleetSummary(deps)(polish);
  expect(summary).toMatchObject({
    total: 1,
    lifecycle: { pending: 1, retired: 1 },
    byCountry: [{ country: 'PL', count: 1 }],
  });
});

test('suggestions contain no value from outside the scope', async () => {
  const values = async (
    viewer: typeof administrator,
    key: 'country' | 'model' | 'label',
    text = '',
  ) => (await suggestValues(deps, viewer, { key, text })).map((suggestion) => suggestion.value);
  expect(await values(administrator, 'country')).toEqual(['DE', 'PL']);
  expect(await values(polish, 'country')).toEqual(['PL']);
  expect(await values(administrator, 'label', 'env:')).toEqual(['env:prod', 'env:test']);
  expect(await values(polish, 'label', 'env:')).toEqual(['env:test']);
});
