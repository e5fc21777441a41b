import { choice, integer, onOff, optionalText } from './setting.ts';

const group = 'Map and locations';

/** Nothing that a browser could interpret as another origin, and each placeholder once. */
const TILES_URL =
  /^https?:\/\/(?=[^?#]*\{z\})(?=[^?#]*\{x\})(?=[^?#]*\{y\})[a-z0-9.-]+(?::\d{1,5})?\/[^\s"'<>;,]*$/i;

/** Base map, and locations of devices that do not report one. */
export const mapSettings = {
  mapTilesUrl: optionalText(
    {
      env: 'DEVICEPORTAL_MAP_TILES_URL',
      group,
      description:
        'URL of raster tiles of 256 pixels for maps, for example `https://tiles.example/{z}/{x}/{y}.png`. Browsers of signed-in users load them directly, so the tile server must allow other origins (CORS). Default: only the offline map.',
    },
    {
      test: TILES_URL,
      says: 'must be an http or https URL with {z}, {x} and {y} in its path',
    },
  ),
  mapTilesMaxZoom: integer(
    {
      env: 'DEVICEPORTAL_MAP_TILES_MAX_ZOOM',
      group,
      description: 'Maximum zoom level of the tiles. At higher levels, tiles are scaled up.',
    },
    { min: 0, max: 22, default: 19 },
  ),
  mapTilesAttribution: optionalText({
    env: 'DEVICEPORTAL_MAP_TILES_ATTRIBUTION',
    group,
    description:
      'Attribution that the license of the tiles requires under every map, as plain text.',
  }),
  mapTilesDatum: choice(
    {
      env: 'DEVICEPORTAL_MAP_TILES_DATUM',
      group,
      description:
        'Coordinate system of the tiles: `wgs84`, or `gcj02` for tiles of mainland China. With `gcj02`, maps draw devices in mainland China where these tiles have them; stored and exported locations remain in WGS-84.',
    },
    ['wgs84', 'gcj02'],
    'wgs84',
  ),
  mapBorders: onOff(
    {
      env: 'DEVICEPORTAL_MAP_BORDERS',
      group,
      description:
        'Borders and names of countries on the offline map, as Natural Earth draws them. Default: on; off with the provider set `authing` and in regions `cn-*`, because rules for public maps of mainland China require different borders.',
    },
    undefined,
  ),
  addressCountries: onOff(
    {
      env: 'DEVICEPORTAL_ADDRESS_COUNTRIES',
      group,
      description:
        'Whether a device that reports no location is shown in the country of its public IP address, from a local database.',
    },
    true,
  ),
  addressCountriesFile: optionalText({
    env: 'DEVICEPORTAL_ADDRESS_COUNTRIES_FILE',
    group,
    description: 'MMDB file with the countries of IP addresses. Default: the bundled DB-IP Lite.',
  }),
};
