declare module 'd3-geo-projection' {
  import type { GeoProjection } from 'd3-geo';
  import type { GeoJSON } from 'geojson';

  export function geoProject(shape: GeoJSON, projection: GeoProjection): GeoJSON;
}
