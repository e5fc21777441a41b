import { SCHEME, S3_URL } from './file-location.ts';
import { InvalidValue, integer, list, optionalText, optionalUrl, type Setting } from './setting.ts';

const group = 'Backups';

const location: Setting<string | undefined> = {
  env: 'DEVICEPORTAL_BACKUP_LOCATION',
  group,
  type: 'folder or s3://bucket/prefix',
  description:
    'Where scheduled backups are stored, encrypted for `DEVICEPORTAL_BACKUP_RECIPIENT`: a folder, best on another disk, or a bucket. The embedded database can then be restored to a point in time. Default: no scheduled backups.',
  default: undefined,
  defaultText: '',
  parse(value) {
    if (S3_URL.test(value) || (value.trim() !== '' && !SCHEME.test(value))) return value;
    throw new InvalidValue('must be a folder or have the form s3://bucket/prefix');
  },
};

/** Backups, by hand and scheduled. */
export const backupSettings = {
  backupRecipients: list(
    {
      env: 'DEVICEPORTAL_BACKUP_RECIPIENT',
      flag: 'recipient',
      group,
      description:
        'Public keys in the age format (`age1…`) for which backups are encrypted. Each of their identities can decrypt the backup. Default: none. `npm run backup` then requires `--recipient` or `--plaintext`.',
    },
    {
      item: /^age1[a-z0-9]{20,}$/,
      says: 'must be a list of age recipients (age1…)',
      default: [],
    },
  ),
  backupLocation: location,
  backupEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_BACKUP_ENDPOINT',
      group,
      description:
        'URL of the S3-compatible store of `DEVICEPORTAL_BACKUP_LOCATION`. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  backupRegion: optionalText({
    env: 'DEVICEPORTAL_BACKUP_REGION',
    group,
    description:
      'AWS region of the bucket in `DEVICEPORTAL_BACKUP_LOCATION`, best another one than that of the servers. Default: the region of the servers.',
  }),
  backupEveryHours: integer(
    {
      env: 'DEVICEPORTAL_BACKUP_EVERY_HOURS',
      group,
      description: 'Hours between two complete scheduled backups.',
    },
    { min: 1, max: 168, default: 24 },
  ),
  backupChangesSeconds: integer(
    {
      env: 'DEVICEPORTAL_BACKUP_CHANGES_SECONDS',
      group,
      description:
        'Seconds between two transfers of the changes since then, from the embedded database. At most the changes of this time are lost.',
    },
    { min: 1, max: 3_600, default: 60 },
  ),
  backupKeptDays: integer(
    {
      env: 'DEVICEPORTAL_BACKUP_DAYS',
      group,
      description: 'Days that scheduled backups are kept. The newest backup is always kept.',
    },
    { min: 1, max: 3_650, default: 14 },
  ),
};
