import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Permission } from '@deviceportal/contract/permissions';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import { advanceImport } from '../../../src/imports/advance-import.ts';
import { createClaimOfImport } from '../../../src/imports/create-claim-of-import.ts';
import { confirmImport, discardImport, undoImport } from '../../../src/imports/decide-import.ts';
import { getImport, listImports } from '../../../src/imports/get-import.ts';
import { administrator, callerOf, limitedTo } from '../../devices/viewer-with.ts';
import { ImportFixture } from '../../imports/import-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const manages: Permission[] = ['devices:read', 'devices:manage', 'people:read'];
const polish = limitedTo({ countries: ['PL'] }, manages);
const other = { ...administrator, userId: '01900000-0000-7000-8000-00000000bbbb' };

let db: TestDatabase;
let imports: ImportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of ['device', 'person', 'data_import', 'data_import_row'])
    await db.database.orm.execute(sql`delete from ${sql.identifier(table)}`);
  imports = new ImportFixture(db.database);
  const device = { model: 'kiosk', labels: {} };
  await createDevices(imports.deps, {
    people: [],
    devices: [
      { ...device, serialNumber: 'GERM0001', name: 'one', country: 'DE' },
      { ...device, serialNumber: 'POLE0001', name: 'two', country: 'PL' },
    ],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const devices = async () => {
  const { rows } = await db.database.orm.execute<Record<string, unknown>>(
    sql`select serial_number, name, country from device order by serial_number`,
  );
  return rows.map(({ serial_number, name, country }) => [serial_number, name, country]);
};
const untouched = [
  ['GERM0001', 'one', 'DE'],
  ['POLE0001', 'two', 'PL'],
];
const outOfReach = 'import-out-of-reach';

test('a row cannot take over the serial number of a device outside the scope, or move a device there', async () => {
  const { id, counts } = await imports.preview(polish, {
    content: 'serialNumber,name,country\nGERM0001,mine,PL\nPOLE0001,gone,DE\nFREE0001,x,\n',
  });
  expect(counts).toMatchObject({ refused: 3, new: 0, changed: 0 });
  expect(await imports.outcomes(polish, id)).toEqual([
    [2, 'refused', null, outOfReach],
    [3, 'refused', null, outOfReach],
    [4, 'refused', null, outOfReach],
  ]);
  const [row] = await imports.rows(polish, id);
  expect(JSON.stringify(row)).not.toContain('one');
  await imports.confirm(polish, id);
  expect(await devices()).toEqual(untouched);
});

test('rows are written with the permissions at that time, not with those of the preview', async () => {
  const { id } = await imports.preview(administrator, {
    content: 'serialNumber,name\nGERM0001,x\nPOLE0001,x\n',
  });
  await confirmImport(imports.deps, callerOf(administrator), id);
  const lessened = { ...administrator, grants: polish.grants };
  expect((await imports.finish(lessened, id)).counts).toMatchObject({ applied: 1, refused: 1 });
  expect(await devices()).toEqual([untouched[0], ['POLE0001', 'x', 'PL']]);
});

test('undoing reaches only devices that are still in the scope', async () => {
  const { id } = await imports.run(administrator, {
    content: 'serialNumber,name,country\nGERM0001,x,PL\nPOLE0001,x,\n',
  });
  const lessened = { ...administrator, grants: polish.grants };
  expect(await imports.undo(lessened, id)).toMatchObject({ counts: { undone: 1, left: 1 } });
  expect(await devices()).toEqual([['GERM0001', 'x', 'PL'], untouched[1]]);
});

test('an import does not exist for another user, who can do nothing with it', async () => {
  const { id } = await imports.run(administrator, { content: 'serialNumber,name\nGERM0001,x\n' });
  const open = await imports.preview(administrator, { content: 'serialNumber\nNEW00001\n' });
  const caller = callerOf(other);
  const notFound = { errorName: 'notFound' };
  await expect(undoImport(imports.deps, caller, id)).rejects.toMatchObject(notFound);
  await expect(confirmImport(imports.deps, caller, open.id)).rejects.toMatchObject(notFound);
  await expect(discardImport(imports.deps, caller, open.id)).rejects.toMatchObject(notFound);
  await expect(advanceImport(imports.deps, caller, id)).rejects.toMatchObject(notFound);
  await expect(getImport(imports.deps, other, { id })).rejects.toMatchObject(notFound);
  await expect(imports.rows(other, id)).rejects.toMatchObject(notFound);
  const claim = createClaimOfImport(imports.deps, caller, { id, lifetimeHours: 1 });
  await expect(claim).rejects.toMatchObject(notFound);
  const page = { pageSize: 25, cursor: null };
  expect((await listImports(imports.deps, other, page)).rows).toEqual([]);
});

test('a replayed confirmation, also after undoing, writes nothing again', async () => {
  const caller = callerOf(administrator);
  const { id } = await imports.run(administrator, { content: 'serialNumber\nNEW00001\n' });
  expect(await confirmImport(imports.deps, caller, id)).toMatchObject({ state: 'applied' });
  await imports.undo(administrator, id);
  const replayed = confirmImport(imports.deps, caller, id);
  await expect(replayed).rejects.toMatchObject({ reason: 'import-state-differs' });
  await imports.finish(administrator, id);
  expect(await devices()).toEqual(untouched);
});

test('people can be imported only by users who manage all of them', async () => {
  const everything: Permission[] = ['people:manage', 'people:read', 'devices:manage'];
  const content = 'username,name\nann,Ann\n';
  for (const viewer of [
    limitedTo({ countries: ['PL'] }, everything),
    limitedTo({}, ['people:manage']),
    limitedTo({}, ['people:read', 'devices:manage']),
  ]) {
    await expect(imports.upload(viewer, { kind: 'people', content })).rejects.toMatchObject({
      code: 1000,
    });
  }
  const { id } = await imports.preview(administrator, { kind: 'people', content });
  await confirmImport(imports.deps, callerOf(administrator), id);
  const lessened = {
    ...administrator,
    grants: limitedTo({ countries: ['PL'] }, everything).grants,
  };
  await expect(imports.finish(lessened, id)).rejects.toMatchObject({ code: 1000 });
});
