import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl';
import { HATCH_IMAGE, shapes, TILES } from './basemap.ts';
import { drawHatch } from './hatch-image.ts';
import { watchTiles } from './watch-tiles.ts';

/** The zoom from which the coarse coast would show cities in the sea. */
const FINE_ZOOM = 3.5;

export interface PreparedMap {
  /** Draws images that are not part of the basemap. */
  readonly drawImage?: (id: string, pixelRatio: number) => ImageData | undefined;
  readonly hatchColor: () => string;
  /** The operator’s tiles failed to load, or load again. */
  readonly onTiles: (fail: boolean) => void;
}

/** Sets up a map: shapes by zoom level, and images on demand. */
export function prepareMap(map: MapLibre, options: PreparedMap): void {
  let isFine = false;
  const drawShapes = (): void => {
    const fine = map.getZoom() >= FINE_ZOOM;
    if (fine === isFine) return;
    isFine = fine;
    for (const [name, { coarse, fine: finer }] of Object.entries(shapes))
      void map.getSource<GeoJSONSource>(name)?.setData(fine ? finer : coarse);
  };
  map.on('zoomend', drawShapes);
  map.on('style.load', () => {
    isFine = false;
    drawShapes();
  });
  map.setMissingStyleImageResolver((id) => {
    const pixelRatio = Math.min(2, window.devicePixelRatio);
    const image =
      id === HATCH_IMAGE
        ? drawHatch(options.hatchColor(), Math.ceil(pixelRatio))
        : options.drawImage?.(id, pixelRatio);
    if (image === undefined || map.hasImage(id)) return;
    map.addImage(id, image, {
      pixelRatio: id === HATCH_IMAGE ? Math.ceil(pixelRatio) : pixelRatio,
    });
  });
  watchTiles(map, TILES, options.onTiles);
}
