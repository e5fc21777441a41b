import { integer } from './setting.ts';

/** Rotation of the keys that devices trust. */
export const deviceKeySettings = {
  deviceKeysMaxAgeDays: integer(
    {
      env: 'DEVICEPORTAL_DEVICE_KEYS_MAX_AGE_DAYS',
      group: 'Secrets',
      description:
        'Age in days at which a job rotates the keys that sign runs and agent updates. With 0, only `npm run admin -- rotate-device-keys` rotates them.',
    },
    { min: 0, max: 3_650, default: 365 },
  ),
};
