import { refusal } from '../refusals/refusal.ts';
import { fileFailures, fileOffers } from './device-files.ts';

export const deviceFileRefusals = {
  'files-not-offered': refusal('This device does not offer its files.', {
    facts: { offer: fileOffers },
  }),
  'files-device-offline': refusal('The device is not connected. Try again when it is online.'),
  'files-refused': refusal('The device refused the request: {failure}.', {
    facts: { failure: fileFailures },
  }),
  'files-too-many': refusal(
    '{most} requests for files are in progress, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'files-quota': refusal(
    'This device has transferred {most} bytes in 24 hours, which is the limit. Try again later.',
    { facts: { most: 'count' } },
  ),
  'file-transfer-ended': refusal('This transfer has ended.'),
  'file-not-as-announced': refusal('The content is not what the device announced.'),
} as const;
