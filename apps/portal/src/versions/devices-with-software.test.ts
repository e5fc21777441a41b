import { expect, test } from 'vitest';
import { decodeFilter } from '../ui/filter-codec.ts';
import { devicesOfCell } from './devices-with-software.ts';

const filterOf = (href: string | null) =>
  decodeFilter(new URL(href ?? '', 'http://localhost').searchParams.get('q') ?? '');

test('a cell links to exactly the devices that it counts', () => {
  const cell = { component: 'firmware', version: '1.0.0' };
  const row = { model: 'M1', country: null, otherCountries: ['FR'] };
  expect(filterOf(devicesOfCell({ ...cell, row })).tokens).toEqual([
    { key: 'software', operator: '=', values: ['firmware:1.0.0'] },
    { key: 'model', operator: '=', values: ['M1'] },
    { key: 'country', operator: '!=', values: ['FR'] },
    { key: 'lifecycle', operator: '!=', values: ['retired'] },
  ]);
  expect(devicesOfCell({ ...cell, row: { ...row, model: null } })).toBeNull();
});
