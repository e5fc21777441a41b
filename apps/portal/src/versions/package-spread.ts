import type { PackageVersionSpread } from '@deviceportal/contract/packages';

export interface SpreadRow extends PackageVersionSpread {
  /** 0 … 1 of all devices with the package. */
  readonly share: number;
  /** The number of devices with an older version. */
  readonly older: number;
}

/** @param versions Newest first. */
export function spreadOf(versions: readonly PackageVersionSpread[]): SpreadRow[] {
  const total = versions.reduce((sum, { devices }) => sum + devices, 0);
  let left = total;
  return versions.map((row) => {
    left -= row.devices;
    return { ...row, share: total === 0 ? 0 : row.devices / total, older: left };
  });
}
