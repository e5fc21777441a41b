import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeskDevice } from './desk-day.ts';
import { keepValues, MissingValue, placeValues, type DeskValues } from './place-values.ts';

const deviceOf = (number: number): DeskDevice => ({
  id: `id-${number}`,
  serialNumber: `SN${number}`,
  name: `name ${number}`,
  model: 'kiosk',
  ownerId: `owner-${number}`,
  ownerName: 'Ada',
  ownerPhone: '+4812',
});
const withDevices = (count: number): DeskValues => ({
  devices: Array.from({ length: count }, (_, index) => deviceOf(index + 1)),
  kept: new Map(),
});

test('facts of the devices of the user take the place of placeholders at any depth', () => {
  const input = { a: ['$device2.serialNumber', { b: '$device1.ownerName/2' }], c: 1, d: null };
  expect(placeValues(input, withDevices(2))).toEqual({
    ...{ a: ['SN2', { b: 'Ad' }], c: 1, d: null },
  });
});

test('a user with few devices uses them again', () => {
  expect(placeValues('$device3.id', withDevices(2))).toBe('id-1');
});

test('a list has as many devices as were recorded, or all of a user who has fewer', () => {
  expect(placeValues('$devices.2', withDevices(3))).toEqual(['id-1', 'id-2']);
  expect(placeValues('$serialNumbers.4', withDevices(3))).toBe('SN1\nSN2\nSN3');
});

test('a user without devices is an error, and not a call without a device', () => {
  expect(() => placeValues('$device1.id', withDevices(0))).toThrow(MissingValue);
  expect(() => placeValues('$devices.4', withDevices(0))).toThrow(MissingValue);
  expect(() => placeValues('$serialNumbers.4', withDevices(0))).toThrow(MissingValue);
});

test('a value that no answer contained is an error', () => {
  expect(() => placeValues({ id: '$run' }, withDevices(1))).toThrow(MissingValue);
});

test('each new ID differs', () => {
  const values = withDevices(1);
  expect(placeValues('$new', values)).not.toBe(placeValues('$new', values));
});

test('a time is relative to now', () => {
  const before = Date.now();
  const at = Date.parse(String(placeValues('$now-60', withDevices(1))));
  expect(at).toBeGreaterThanOrEqual(before - 60_000);
  expect(at).toBeLessThanOrEqual(Date.now() - 60_000);
});

test('a kept value has the type of the answer', () => {
  const values = withDevices(1);
  expect(keepValues({ rows: [{ count: 25 }] }, { count: 'rows.0.count' }, values)).toBe(true);
  expect(placeValues({ targetCount: '$count' }, values)).toEqual({ targetCount: 25 });
});

test('a list with fewer rows has its last one in place of a later one', () => {
  const values = withDevices(1);
  expect(keepValues({ rows: ['a', 'b'] }, { row: 'rows.7' }, values)).toBe(true);
  expect(values.kept.get('row')).toBe('b');
});

test.each([null, {}, { rows: [] }, { rows: null }])('nothing is kept of %j', (answer) => {
  const values = withDevices(1);
  expect(keepValues(answer, { row: 'rows.0.id' }, values)).toBe(false);
  expect(values.kept.size).toBe(0);
});

test('input without placeholders is unchanged', () => {
  const text = fc.string().filter((value) => !value.startsWith('$'));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      ...[text, fc.integer(), fc.boolean(), fc.constant(null)],
      fc.array(tie('tree')),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (input) => {
      expect(placeValues(input, withDevices(1))).toEqual(input);
    }),
  );
});
