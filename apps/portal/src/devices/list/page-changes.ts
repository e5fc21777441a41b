import type { DeviceRow } from '@deviceportal/contract/devices';

/** The number of rows that were added, removed, or moved in a newer page. */
export function countMoves(
  shown: readonly Pick<DeviceRow, 'id'>[],
  newer: readonly Pick<DeviceRow, 'id'>[],
): number {
  const length = Math.max(shown.length, newer.length);
  let moves = 0;
  for (let index = 0; index < length; index += 1) {
    if (shown[index]?.id !== newer[index]?.id) moves += 1;
  }
  return moves;
}

/** The rows in their current order with the values of a newer page. */
export function refreshInPlace<Row extends Pick<DeviceRow, 'id'>>(
  shown: readonly Row[],
  newer: readonly Row[],
): readonly Row[] {
  const byId = new Map(newer.map((row) => [row.id, row]));
  return shown.map((row) => byId.get(row.id) ?? row);
}
