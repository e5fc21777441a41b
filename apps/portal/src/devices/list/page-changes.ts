import type { DeviceRow } from '@deviceportal/contract/devices';

/** How many rows stand elsewhere in a newer page than in the shown one: come, gone, or moved past another. */
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

/** The shown rows where they stand, with what a newer page says about them. */
export function refreshInPlace<Row extends Pick<DeviceRow, 'id'>>(
  shown: readonly Row[],
  newer: readonly Row[],
): readonly Row[] {
  const byId = new Map(newer.map((row) => [row.id, row]));
  return shown.map((row) => byId.get(row.id) ?? row);
}
