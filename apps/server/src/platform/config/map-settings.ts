import { onOff, optionalText } from './setting.ts';

const group = 'Map and places';

/** What is drawn under the devices, and where devices are that do not say so themselves. */
export const mapSettings = {
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
