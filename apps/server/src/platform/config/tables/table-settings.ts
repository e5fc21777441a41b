import { InvalidValue, optionalUrl, type Setting, type SettingWords } from '../setting.ts';

const group = 'Data sources';
const tableWords =
  '`database`, or the name of a DynamoDB table in `DEVICEPORTAL_REGION`, which requires the package `aws`. Set it on all servers.';

/** Tables outside the portal. */
export const tableSettings = {
  softwareVersionTable: databaseOrTable({
    env: 'DEVICEPORTAL_SOFTWARE_VERSION_TABLE',
    group,
    description: `Table in which other programs read and write software versions. ${tableWords}`,
  }),
  deviceVersionTable: databaseOrTable({
    env: 'DEVICEPORTAL_DEVICE_VERSION_TABLE',
    group,
    description: `Table in which other programs read and write the versions that devices run. ${tableWords}`,
  }),
  geolocationTable: databaseOrTable({
    env: 'DEVICEPORTAL_GEOLOCATION_TABLE',
    group,
    description: `Table in which other programs read and write the locations of devices. ${tableWords}`,
  }),
  tableEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_TABLE_ENDPOINT',
      group,
      description:
        'DynamoDB endpoint for these tables and their streams. Default: the endpoints of the region.',
    },
    ['http:', 'https:'],
  ),
};

/** A data source that is the database of the portal, or a DynamoDB table by its name. */
function databaseOrTable(words: SettingWords): Setting<string> {
  return {
    ...words,
    type: 'database or the name of a DynamoDB table',
    default: 'database',
    defaultText: 'database',
    parse(value) {
      if (/^[\w.-]{3,255}$/.test(value)) return value;
      throw new InvalidValue('must be "database" or the name of a DynamoDB table');
    },
  };
}
