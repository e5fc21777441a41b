import { expect, test } from 'vitest';
import { adoptionSeries } from './adoption-series.ts';

test('rare versions are combined without losing devices', () => {
  const series = [9, 1, 8, 2, 7, 3, 6].map((devices, index) => ({
    version: `${index}`,
    devices: [1, devices],
  }));
  const shown = adoptionSeries(series, 'Other');
  expect(shown.map(({ version }) => version)).toEqual(['0', '2', '4', '5', '6', 'Other']);
  expect(shown.at(-1)?.devices).toEqual([2, 3]);
});
