import { integer, optionalText } from '../setting.ts';

const group = 'Web pages of devices';
const PATTERN = /^https?:\/\/\*(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:[1-9]\d{0,4})?$/;

export const webPageSettings = {
  webPagesOrigin: optionalText(
    {
      env: 'DEVICEPORTAL_WEB_PAGES_ORIGIN',
      group,
      description:
        'Origin of the web pages of devices, with `*` for each session: `https://*.pages.example.net`. Use a domain of its own, not one below or above that of the portal. Default: `http://*.localhost:{port}` if the portal can be reached only from this machine, except in production; otherwise web pages are not available.',
    },
    {
      test: PATTERN,
      says: 'must be https://*. and a host name in lower case, such as https://*.pages.example.net',
    },
  ),
  webPagesPort: integer(
    {
      env: 'DEVICEPORTAL_WEB_PAGES_PORT',
      group,
      description:
        'Port of the web pages of devices, on the address of the portal. 0 selects a free one.',
    },
    { min: 0, max: 65_535, default: 0 },
  ),
} as const;
