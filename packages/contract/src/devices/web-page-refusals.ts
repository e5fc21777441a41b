import { refusal } from '../refusals/refusal.ts';
import { webPageOffers } from './web-pages.ts';

export const webPageRefusals = {
  'web-pages-not-offered': refusal('Web pages of this device cannot be opened.', {
    facts: { offer: webPageOffers },
  }),
  'web-page-port-not-offered': refusal('This device does not offer a web page at port {port}.', {
    facts: { port: 'count' },
  }),
  'web-page-device-offline': refusal('The device is not connected. Try again when it is online.'),
  'web-pages-of-user': refusal(
    'You have {most} open web pages, which is the limit. End one first.',
    { facts: { most: 'count' } },
  ),
  'web-pages-of-device': refusal(
    'This device has {most} open web pages, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'web-pages-of-portal': refusal(
    'There are {most} open web pages, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'web-pages-forbidden': refusal('Web pages are not allowed on devices of this model.'),
  'web-page-consent-not-possible': refusal(
    'A person at the device must agree to open its web page, but this device cannot ask. Start its agent with --terminal-consent PROGRAM.',
  ),
  'web-page-not-open': refusal('This web page is not open.'),
} as const;
