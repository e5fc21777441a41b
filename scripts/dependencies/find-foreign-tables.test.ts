import { expect, test } from 'vitest';
import { findForeignTables, readTableOwners } from './find-foreign-tables.ts';

const owners = new Map([
  ['device', 'devices'],
  ['person', 'people'],
]);

function tablesIn(text: string, path = 'apps/server/src/cases/list-cases.ts'): string[] {
  return findForeignTables([{ path, text }], owners).map(
    ({ line, table, owner }) => `${line} ${table} of ${owner}`,
  );
}

test('a table belongs to the slice that declares it', () => {
  const text =
    "export const a = pgTable('device', {});\nexport const b = pgTable(\n  'claim',\n  {},\n);";
  const declared = readTableOwners([{ path: 'apps/server/src/devices/data/x-tables.ts', text }]);
  expect([...declared]).toEqual([
    ['device', 'devices'],
    ['claim', 'devices'],
  ]);
});

test.each([
  ['read', 'sql`select * from device d`', ['1 device of devices']],
  ['joined', 'sql`select from support_case\nleft join person p on true`', ['1 person of people']],
  ['listed', 'sql`select from support_case c, device d where true`', ['1 device of devices']],
  [
    'listed behind a function and a join',
    'sql`select from unnest(${a}, 1) i join support_case on true, device`',
    ['1 device of devices'],
  ],
  ['listed to delete', 'sql`delete from support_case using a, person`', ['1 person of people']],
  ['written', 'sql`insert into device (id) values (1)`', ['1 device of devices']],
  ['with a type for its rows', 'sql<{ a: string }>`delete from device`', ['1 device of devices']],
  ['put into another', 'sql`select ${sql`(select from person)`}`', ['1 person of people']],
  ['behind what is put in', 'sql`select ${a({ b: 1 })} from device`', ['1 device of devices']],
  ['by its full name', '\n\nsql`update public.device set a = 1`', ['3 device of devices']],
])('a table of another slice is found where it is %s', (_how, text, found) => {
  expect(tablesIn(text)).toEqual(found);
});

test.each([
  ['of its own slice', 'sql`select from device`', 'apps/server/src/devices/list/list-devices.ts'],
  ['that the statement defines', 'sql`with device as (select 1) select from device`', undefined],
  ['in a comment', '// the person from device to person', undefined],
  ['that is a function', 'sql`select from person(1)`', undefined],
  ['behind a condition', 'sql`select from support_case where true order by a, device`', undefined],
  ['behind a comparison', 'sql`select a is distinct from b, device from support_case`', undefined],
  ['behind a column', 'sql`select extract(epoch from at), device from support_case`', undefined],
])('a name %s is none', (_what, text, path) => {
  expect(tablesIn(text, path)).toEqual([]);
});
