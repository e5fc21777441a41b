import type { Map as MapLibre } from 'maplibre-gl';

/** So many one after the other, and none that came: one tile may be missing, and the rest of the map be there. */
const FAILURES = 3;

/** Tells when the tiles of a source cannot be loaded any more, and when they can again. */
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
