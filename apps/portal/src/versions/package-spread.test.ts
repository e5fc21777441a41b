import { expect, test } from 'vitest';
import { spreadOf } from './package-spread.ts';

test('each version has its share and the number of devices with an older version', () => {
  const rows = spreadOf([
    { version: '3.0.15', devices: 6 },
    { version: '3.0.11', devices: 3 },
    { version: '1.1.1', devices: 1 },
  ]);
  expect(rows.map(({ share, older }) => [share, older])).toEqual([
    [0.6, 4],
    [0.3, 1],
    [0.1, 0],
  ]);
});
