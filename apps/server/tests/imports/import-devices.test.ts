import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { addNote } from '../../src/devices/device-notes.ts';
import { createClaimOfImport } from '../../src/imports/create-claim-of-import.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { ImportFixture } from './import-fixture.ts';

let db: TestDatabase;
let imports: ImportFixture;
const caller = callerOf(administrator);

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of [
    'device',
    'device_status',
    'device_label',
    'person',
    'data_import',
    'data_import_row',
  ]) {
    await db.database.orm.execute(sql`delete from ${sql.identifier(table)}`);
  }
  imports = new ImportFixture(db.database);
  const person = { phone: null, country: null, language: null };
  const device = { model: 'kiosk', country: 'DE', labels: { env: 'prod' } };
  await createDevices(imports.deps, {
    people: [{ ...person, username: 'anna', name: 'Anna Berg', email: 'anna@example.com' }],
    devices: [
      { ...device, serialNumber: 'OLD00001', name: 'one', owner: 'anna' },
      { ...device, serialNumber: 'OLD00002', name: 'two' },
    ],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const stored = async () => {
  const { rows } = await db.database.orm.execute<Record<string, unknown>>(sql`
    select serial_number, d.name, model, p.username as owner, d.country, labels, lifecycle
    from device d left join person p on p.id = owner_id order by serial_number`);
  return rows;
};
const idOf = async (serialNumber: string): Promise<string> => {
  const { rows } = await db.database.orm.execute<{ id: string }>(
    sql`select id from device where serial_number = ${serialNumber}`,
  );
  return rows[0]?.id ?? '';
};
const eventsOf = async (importId: string) => {
  const { rows } = await db.database.orm.execute<{ type: string; count: number }>(sql`
    select type, count(*)::int as count from audit_event where request_id = ${importId} group by type order by type`);
  return rows.map(({ type, count }) => [type, count]);
};

const file = [
  'Serial Number,name,model,ownerEmail,country,labels',
  'NEW00001,"Door, left",gate,anna@EXAMPLE.com,pl,env=test;floor=2',
  'old00001,renamed,,,,',
  'OLD00002,,,,,',
  'x,,,,,',
  'NEW00002,,,nobody@example.com,,',
  'NEW00001,again,,,,',
].join('\r\n');

test('a preview says what each row does, refused rows first, and changes nothing', async () => {
  const before = await stored();
  const detail = await imports.preview(administrator, { content: file });
  expect(detail).toMatchObject({
    state: 'ready',
    counts: { rows: 6, checked: 6, new: 1, changed: 1, unchanged: 1, refused: 3 },
  });
  expect(await imports.outcomes(administrator, detail.id)).toEqual([
    [5, 'refused', 'serialNumber', 'serial-number-invalid'],
    [6, 'refused', 'ownerEmail', 'owner-email-unknown'],
    [7, 'refused', 'serialNumber', 'import-value-repeated'],
    [3, 'changed'],
    [2, 'new'],
    [4, 'unchanged'],
  ]);
  const rows = await imports.rows(administrator, detail.id);
  expect(rows[3]?.changes).toEqual([{ column: 'name', before: 'one', after: 'renamed' }]);
  expect(rows[4]?.changes).toContainEqual({
    column: 'ownerEmail',
    before: null,
    after: 'anna@example.com',
  });
  expect(await stored()).toEqual(before);
});

test('a confirmed import writes its rows, with an audit event for each', async () => {
  const { id, state, counts } = await imports.run(administrator, { content: file });
  expect([state, counts.applied]).toEqual(['applied', 2]);
  expect(await stored()).toMatchObject([
    {
      serial_number: 'NEW00001',
      ...{ name: 'Door, left', model: 'gate', owner: 'anna', country: 'PL' },
      ...{ labels: { env: 'test', floor: '2' }, lifecycle: 'pending' },
    },
    { serial_number: 'OLD00001', name: 'renamed', model: 'kiosk', owner: 'anna' },
    { serial_number: 'OLD00002', name: 'two' },
  ]);
  expect(await eventsOf(id)).toEqual([
    ['device.created', 1],
    ['device.updated', 1],
    ['import.completed', 1],
    ['import.confirmed', 1],
  ]);
});

test('undoing restores what was changed, and deletes what was added', async () => {
  const before = await stored();
  const content =
    'serialNumber,name,model,labels\nNEW00001,,,a=b\nOLD00001,renamed,gate,a=b\nOLD00002,renamed,,';
  const { id } = await imports.run(administrator, { content });
  expect(await stored()).not.toEqual(before);
  const undone = await imports.undo(administrator, id);
  expect(undone).toMatchObject({ state: 'undone', counts: { undone: 3, left: 0 } });
  expect(await stored()).toEqual(before);
  expect(await imports.run(administrator, { content })).toMatchObject({ counts: { applied: 3 } });
});

test('undoing leaves what was changed or used since, and says so', async () => {
  const content = 'serialNumber,name\nNEW00001,x\nNEW00002,x\nOLD00001,renamed\nOLD00002,renamed\n';
  const { id } = await imports.run(administrator, { content });
  await updateDevice(imports.deps, caller, { id: await idOf('OLD00001'), name: 'by hand' });
  await addNote(imports.deps, caller, { deviceId: await idOf('NEW00001'), text: 'a note' });
  const undone = await imports.undo(administrator, id);
  expect(undone.counts).toMatchObject({ undone: 2, left: 2 });
  const left = (await imports.rows(administrator, id)).filter(({ state }) => state === 'left');
  expect(left.map(({ key, problem }) => [key, problem?.reason])).toEqual([
    ['OLD00001', 'import-changed-since'],
    ['NEW00001', 'import-changed-since'],
  ]);
  expect((await stored()).map((row) => [row['serial_number'], row['name']])).toEqual([
    ['NEW00001', 'x'],
    ['OLD00001', 'by hand'],
    ['OLD00002', 'two'],
  ]);
});

test('a row whose device has changed since the preview is refused', async () => {
  const { id } = await imports.preview(administrator, {
    content: 'serialNumber,name\nOLD00001,renamed\nOLD00002,renamed\n',
  });
  await updateDevice(imports.deps, caller, { id: await idOf('OLD00001'), name: 'by hand' });
  const { counts } = await imports.confirm(administrator, id);
  expect(counts).toMatchObject({ applied: 1, refused: 1, changed: 1 });
  expect(await imports.outcomes(administrator, id)).toEqual([
    [2, 'refused', null, 'import-row-outdated'],
    [3, 'changed'],
  ]);
  expect((await stored()).map((row) => row['name'])).toEqual(['by hand', 'renamed']);
});

test('a claim enrolls exactly the devices that an import has added, and is created once', async () => {
  const { id } = await imports.run(administrator, {
    content: 'serialNumber\nNEW00001\nNEW00002\nOLD00001\n',
  });
  const claim = await createClaimOfImport(imports.deps, caller, { id, lifetimeHours: 24 });
  expect(claim).toMatchObject({ uses: 2, installCommand: `install --claim ${claim.token}` });
  const again = createClaimOfImport(imports.deps, caller, { id, lifetimeHours: 24 });
  await expect(again).rejects.toMatchObject({ reason: 'import-claim-exists' });
});

test('a file can be confirmed for a day, and an import undone for a day', async () => {
  const content = 'serialNumber,name\nOLD00001,renamed\n';
  const done = await imports.run(administrator, { content });
  const open = await imports.preview(administrator, { content: 'serialNumber\nNEW00009\n' });
  imports.pass(25);
  await expect(imports.confirm(administrator, open.id)).rejects.toMatchObject({
    reason: 'import-state-differs',
  });
  await expect(imports.undo(administrator, done.id)).rejects.toMatchObject({
    reason: 'import-undo-ended',
  });
});

test('a file that cannot be read is rejected with its line', async () => {
  const detail = await imports.preview(administrator, {
    content: 'serialNumber,name\nA0001,ok\nA0002,"open\n',
  });
  expect(detail).toMatchObject({
    state: 'rejected',
    problem: { line: 3, reason: 'import-unreadable' },
    counts: { rows: 0 },
  });
  expect(await imports.rows(administrator, detail.id)).toEqual([]);
});
