import { integer, onOff, optionalText } from './setting.ts';

const group = 'Map and places';

/** Nothing that a browser would read as another origin, and each part of the place once. */
const TILES_URL =
  /^https?:\/\/(?=[^?#]*\{z\})(?=[^?#]*\{x\})(?=[^?#]*\{y\})[a-z0-9.-]+(?::\d{1,5})?\/[^\s"'<>;,]*$/i;

/** What is drawn under the devices, and where devices are that do not say so themselves. */
export const mapSettings = {
  mapTilesUrl: optionalText(
    {
      env: 'DEVICEPORTAL_MAP_TILES_URL',
      group,
      description:
        'Raster tiles of 256 pixels to draw maps on, as `https://tiles.example/{z}/{x}/{y}.png`. Browsers of signed-in people load them from there; the server must allow other origins (CORS). Default: the offline map alone.',
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
      description: 'The highest zoom for which there are tiles; beyond it they are drawn larger.',
    },
    { min: 0, max: 22, default: 19 },
  ),
  mapTilesAttribution: optionalText({
    env: 'DEVICEPORTAL_MAP_TILES_ATTRIBUTION',
    group,
    description: 'What the licence of the tiles asks to say under every map, as plain text.',
  }),
  mapBorders: onOff(
    {
      env: 'DEVICEPORTAL_MAP_BORDERS',
      group,
      description:
        'Borders and names of countries on the offline map, as Natural Earth draws them. Default: on; off with the provider set `authing` and in regions `cn-*`, because rules for public maps of mainland China ask for other borders.',
    },
    undefined,
  ),
  addressCountries: onOff(
    {
      env: 'DEVICEPORTAL_ADDRESS_COUNTRIES',
      group,
      description:
        'A device that reports no position is shown in the country that its public address belongs to, by a database on this machine.',
    },
    true,
  ),
  addressCountriesFile: optionalText({
    env: 'DEVICEPORTAL_ADDRESS_COUNTRIES_FILE',
    group,
    description:
      'MMDB file that tells the country of an address, read at the first device that needs it. Default: the bundled DB-IP Lite.',
  }),
};
