import { MOST_CELLS } from '@deviceportal/contract/locations';
import { wholeWorld, type MapArea } from '@deviceportal/contract/map-area';

/**
 * The grid on which locations are counted: rows and columns of a tenth of a degree, which is the rounding of
 * locations. Cells of a map are squares of 1, 2, 4 … of these units and never split one, so that neither a cell nor
 * the overlap of two cells reveals a location more precisely than 0.1 degree.
 */
export interface GridRange {
  /** Inclusive, in units. */
  readonly fromRow: number;
  readonly toRow: number;
  /** One range, or two if the area crosses the antimeridian. */
  readonly columns: readonly { readonly from: number; readonly to: number }[];
}

const LAST_ROW = 1_800;
const LAST_COLUMN = 3_600;
/** Counters are stored for cells of 2^level units. */
export const keptLevels = [0, 2, 4, 6, 8] as const;
const LARGEST_LEVEL = 9;
/** Approximate width of a cell on screen: clusters at this distance do not overlap. */
const CELL_PIXELS = 60;
const PIXELS_PER_UNIT_AT_ZOOM_0 = 512 / LAST_COLUMN;

export const rowOf = (latitude: number): number => Math.floor(latitude * 10 + 0.5) + 900;
export const columnOf = (longitude: number): number => Math.floor(longitude * 10 + 0.5) + 1_800;
const latitudeOf = (row: number): number => (row - 900) / 10;
const longitudeOf = (column: number): number => (column - 1_800) / 10;

export function rangeOf(area: MapArea): GridRange {
  const from = columnOf(area.west);
  const to = columnOf(area.east);
  return {
    fromRow: rowOf(area.south),
    toRow: rowOf(area.north),
    columns:
      area.west <= area.east
        ? [{ from, to }]
        : [
            { from, to: LAST_COLUMN },
            { from: 0, to },
          ],
  };
}

/**
 * The level whose cells of 2^level units are as large as a cluster at this zoom; raised so that a view never has more
 * cells than a map shows.
 */
export function levelFor(zoom: number, range: GridRange): number {
  const fitting = Math.round(Math.log2(CELL_PIXELS / PIXELS_PER_UNIT_AT_ZOOM_0) - zoom);
  let level = Math.min(LARGEST_LEVEL, Math.max(0, fitting));
  while (cellsAt(level, range) > MOST_CELLS) level += 1;
  return level;
}

function cellsAt(level: number, { fromRow, toRow, columns }: GridRange): number {
  const across = (from: number, to: number): number => (to >> level) - (from >> level) + 1;
  const wide = columns.reduce((sum, { from, to }) => sum + across(from, to), 0);
  return across(fromRow, toRow) * wide;
}

/** The coarsest stored counters from which cells of this level can be summed. */
export function keptLevelFor(level: number): number {
  return keptLevels.findLast((kept) => kept <= level) ?? 0;
}

/** Widens a requested range to whole cells, so that neighboring views request the same. */
export function widenToCells(range: GridRange, level: number): GridRange {
  const down = (unit: number): number => (unit >> level) << level;
  const up = (unit: number): number => down(unit) + (1 << level) - 1;
  return {
    fromRow: down(range.fromRow),
    toRow: Math.min(LAST_ROW, up(range.toRow)),
    columns: range.columns.map(({ from, to }) => ({
      from: down(from),
      to: Math.min(LAST_COLUMN, up(to)),
    })),
  };
}

/** The area of a cell: its edges are the outermost locations in it. */
export function areaOfCell(row: number, column: number, level: number): MapArea {
  const size = 1 << level;
  return {
    west: Math.max(wholeWorld.west, longitudeOf(column * size)),
    south: Math.max(wholeWorld.south, latitudeOf(row * size)),
    east: Math.min(wholeWorld.east, longitudeOf(column * size + size - 1)),
    north: Math.min(wholeWorld.north, latitudeOf(row * size + size - 1)),
  };
}
