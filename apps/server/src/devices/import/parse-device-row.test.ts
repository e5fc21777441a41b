import { expect, test } from 'vitest';
import { parseDeviceRow } from './parse-device-row.ts';

const problemOf = (cells: Record<string, unknown>) => {
  const parsed = parseDeviceRow({ serialNumber: 'ABC0001', ...cells });
  return 'refusal' in parsed ? [parsed.column, parsed.refusal.reason] : null;
};
const givenOf = (cells: Record<string, unknown>) => {
  const parsed = parseDeviceRow({ serialNumber: 'ABC0001', ...cells });
  return 'given' in parsed ? parsed.given : parsed.refusal.message;
};

test('an empty cell is a value that changes nothing', () => {
  expect(givenOf({ name: ' ', model: '', labels: '' })).toEqual({
    serialNumber: 'ABC0001',
    ...{ name: null, model: null, ownerEmail: null, country: null, labels: null },
  });
});

test('labels are pairs in CSV, and an object in JSON', () => {
  const labels = { site: 'berlin', floor: '2' };
  expect(givenOf({ labels: 'site=berlin; floor=2' })).toMatchObject({ labels });
  expect(givenOf({ labels })).toMatchObject({ labels });
});

test.each([
  [{ serialNumber: 'x' }, 'serialNumber', 'serial-number-invalid'],
  [{ serialNumber: { a: 1 } }, 'serialNumber', 'serial-number-invalid'],
  [{ name: 'n'.repeat(129) }, 'name', 'text-invalid'],
  [{ model: 'mo\u202Edel' }, 'model', 'text-invalid'],
  [{ country: 'Atlantis' }, 'country', 'country-invalid'],
  [{ labels: { site: { deep: 1 } } }, 'labels', 'labels-invalid'],
  [{ labels: 'lab' + '='.repeat(1) + 'x'.repeat(300) }, 'labels', 'labels-invalid'],
])('%o is refused with its column', (cells, column, reason) => {
  expect(problemOf(cells)).toEqual([column, reason]);
});

test.each(['=cmd|calc', '@SUM(A1)', '+cmd', "-2+3+cmd|' /C calc'!A0"])(
  'the formula %s is refused',
  (name) => {
    expect(problemOf({ name })).toEqual(['name', 'import-formula']);
  },
);

test('an export of the portal can be imported again', () => {
  expect(givenOf({ model: "'-40" })).toMatchObject({ model: '-40' });
});
