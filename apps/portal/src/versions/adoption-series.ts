import type { VersionAdoption } from '@deviceportal/contract/versions';

export type AdoptionSeries = VersionAdoption['series'];

const SHOWN = 6;

/** The versions with most devices on the last day (newest first), and all others combined. */
export function adoptionSeries(series: AdoptionSeries, other: string): AdoptionSeries {
  if (series.length <= SHOWN) return series;
  const bySpread = series.toSorted(
    (one, two) => (two.devices.at(-1) ?? 0) - (one.devices.at(-1) ?? 0),
  );
  const shown = new Set(bySpread.slice(0, SHOWN - 1));
  const rest = series.filter((each) => !shown.has(each));
  const days = series[0]?.devices.length ?? 0;
  const sums = Array.from({ length: days }, (_, day) =>
    rest.reduce((sum, { devices }) => sum + (devices[day] ?? 0), 0),
  );
  return [...series.filter((each) => shown.has(each)), { version: other, devices: sums }];
}
