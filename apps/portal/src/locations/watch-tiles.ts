import type { Map as MapLibre } from 'maplibre-gl';

/** Consecutive failures without a success, because a single tile may be missing. */
const FAILURES = 3;

/** Calls `onChange` when the tiles of a source fail to load and when they load again. */
export function watchTiles(map: MapLibre, source: string, onChange: (fail: boolean) => void): void {
  let failures = 0;
  map.on('error', (event) => {
    if ((event as { sourceId?: unknown }).sourceId !== source) return;
    failures += 1;
    if (failures === FAILURES) onChange(true);
  });
  map.on('sourcedata', (event) => {
    if (event.sourceId !== source || event.tile === undefined) return;
    if (failures >= FAILURES) onChange(false);
    failures = 0;
  });
}
