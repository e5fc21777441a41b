import { integer } from './setting.ts';

/** How long the keys are used that devices trust. */
export const deviceKeySettings = {
  deviceKeysMaxAgeDays: integer(
    {
      env: 'DEVICEPORTAL_DEVICE_KEYS_MAX_AGE_DAYS',
      group: 'Secrets',
      description:
        'After so many days a job replaces the keys that sign runs and updates of the agent. 0: only `npm run admin -- rotate-device-keys` does.',
    },
    { min: 0, max: 3_650, default: 365 },
  ),
};
