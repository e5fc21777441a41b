import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listDevicesInput } from '@deviceportal/contract/devices';
import { encodeFilter } from '../../../ui/filter-codec.ts';
import { devicesSearch } from '../../devices-search.ts';
import { decodeDeviceFilter, decodeSort, encodeSort } from './device-filter.ts';

const decode = (q: string, op: 'and' | 'or' = 'and') => decodeDeviceFilter({ q, op, targets: '' });

describe('the address of the device list', () => {
  it('any address gives a filter that the server accepts', () => {
    fc.assert(
      fc.property(
        fc.record({
          q: fc.string(),
          op: fc.anything(),
          sort: fc.anything(),
          targets: fc.anything(),
        }),
        (raw) => {
          const search = devicesSearch(raw as never);
          const { filter } = decodeDeviceFilter(search);
          const { sort, descending } = decodeSort(search.sort);
          expect(listDevicesInput.safeParse({ filter, sort, descending }).success).toBe(true);
        },
      ),
    );
  });

  it('a token, its values, and free text are decoded as they were encoded', () => {
    const { filter } = decode('model=Edge%2C 5,Edge 7;country!=CN;pump station');
    expect(filter.tokens).toEqual([
      { key: 'model', operator: '=', values: ['Edge, 5', 'Edge 7'] },
      { key: 'country', operator: '!=', values: ['CN'] },
    ]);
    expect(filter.text).toBe('pump station');
  });

  it('invalid parts are ignored and reported', () => {
    const { filter, dropped } = decode('colour=red;connectivity^off;owner=Lena;model=A');
    expect(filter.tokens).toHaveLength(1);
    expect(encodeFilter({ tokens: dropped, operation: 'and' })).toBe(
      'colour=red;connectivity^off;owner=Lena',
    );
  });

  it.each(['lastSeen', 'added'])('%s accepts only a time or an age', (key) => {
    const { filter, dropped } = decode(`${key}<=-24h;${key}>=2026-11-01;${key}<=yesterday`);
    expect(filter.tokens?.map(({ values }) => values[0])).toEqual(['-24h', '2026-11-01']);
    expect(dropped).toHaveLength(1);
  });

  it('a sort without an index becomes the default', () => {
    expect(decodeSort('-owner')).toEqual({ sort: 'lastSeen', descending: true });
    expect(decodeSort('')).toEqual({ sort: 'lastSeen', descending: true });
  });

  it('a sort is decoded as it was encoded', () => {
    for (const sort of ['name', '-name', 'serialNumber', '-lastSeen'])
      expect(encodeSort(decodeSort(sort))).toBe(sort);
  });
});
