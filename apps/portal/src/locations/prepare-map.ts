import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl';
import { HATCH_IMAGE, shapes, TILES } from './basemap.ts';
import { drawHatch } from './hatch-image.ts';
import { watchTiles } from './watch-tiles.ts';

/** From here on a coarse coast would put towns into the sea. */
const FINE_ZOOM = 3.5;

export interface PreparedMap {
  /** Of images that are not the basemap's own. */
  readonly drawImage?: (id: string, pixelRatio: number) => ImageData | undefined;
  readonly hatchColor: () => string;
  /** The operator's tiles cannot be loaded, or can again. */
  readonly onTiles: (fail: boolean) => void;
}

/** What every map does of itself: coasts and borders as fine as the zoom asks for, images when they are needed. */
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
