import { embeddedOr, optionalText, optionalUrl } from '../setting.ts';

const group = 'Data sources';

/** What answers questions on archived months of the audit trail. */
export const analyticsSettings = {
  analyticsWorkgroup: embeddedOr(
    {
      env: 'DEVICEPORTAL_ANALYTICS_WORKGROUP',
      group,
      description:
        'What answers questions on archived months of the audit trail: `database`, which reads copies of the files on the server, or an Athena workgroup in `DEVICEPORTAL_REGION` by its name, for `DEVICEPORTAL_FILES` in S3. A workgroup requires the package `aws`.',
    },
    { shape: /^[\w.-]{1,128}$/, says: 'the name of an Athena workgroup' },
    'database',
  ),
  analyticsTable: optionalText(
    {
      env: 'DEVICEPORTAL_ANALYTICS_TABLE',
      group,
      description:
        'Database and table of the archived months in the Glue Data Catalog, for the workgroup. `npm run admin -- create-archive-table` creates it. Default: `deviceportal.audit_trail`.',
    },
    {
      test: /^[a-z][a-z0-9_]{0,99}\.[a-z][a-z0-9_]{0,99}$/,
      says: 'must have the form database.table, with lowercase letters, digits, and underscores',
    },
  ),
  analyticsEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_ANALYTICS_ENDPOINT',
      group,
      description: 'Athena endpoint for the workgroup. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
};
