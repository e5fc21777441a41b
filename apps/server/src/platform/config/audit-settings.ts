import { integer, optionalText, optionalUrl } from './setting.ts';

const group = 'Audit trail';

export const auditSettings = {
  auditKeysFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_KEYS_FILE',
    group,
    description:
      'JSON file of additional trusted public keys, for the trail of an earlier installation. A saved checkpoint can be used. Also used by `npm run verify-audit` and `npm run check-export`.',
  }),
  auditAnchorFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_ANCHOR_FILE',
    group,
    description:
      'File to which every sealed block and time stamp is appended. Use a location that users with write access to the database cannot change, for example on another machine.',
  }),
  auditAnchorSyslog: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_SYSLOG',
      group,
      description:
        'Syslog receiver to which every sealed block is sent (RFC 5424): `udp://host:514`, `tcp://host:601` or `tls://host:6514`.',
    },
    ['udp:', 'tcp:', 'tls:'],
  ),
  auditAnchorSyslogCaFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_ANCHOR_SYSLOG_CA_FILE',
    group,
    description: 'PEM certificate authority of a `tls:` syslog receiver.',
  }),
  auditAnchorS3: optionalText(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_S3',
      group,
      description:
        'S3 bucket with object lock to which sealed blocks are written, and optionally the beginning of their keys: `s3://BUCKET/PREFIX`.',
    },
    {
      test: /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()-]+)*\/?$/,
      says: 'must have the form s3://BUCKET or s3://BUCKET/PREFIX',
    },
  ),
  auditAnchorS3Days: integer(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_S3_DAYS',
      group,
      description:
        'Days for which no administrator can delete a block from the bucket (compliance mode). Cannot be shortened afterwards.',
    },
    { min: 1, max: 36_500, default: 2_557 },
  ),
  auditAnchorS3Seconds: integer(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_S3_SECONDS',
      group,
      description:
        'Minimum time between two objects in the bucket. An object contains all blocks since the previous one.',
    },
    { min: 0, max: 86_400, default: 60 },
  ),
  auditAnchorS3Endpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_S3_ENDPOINT',
      group,
      description:
        'URL of S3, or of a compatible store with object lock. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  auditAnchorTsa: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA',
      group,
      description: 'Time-stamp authority (RFC 3161) that time-stamps the newest block.',
    },
    ['http:', 'https:'],
  ),
  auditAnchorTsaCaFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA_CA_FILE',
    group,
    description: 'PEM certificates of the trusted time-stamp authorities.',
  }),
  auditAnchorTsaSeconds: integer(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA_SECONDS',
      group,
      description:
        'Minimum time between two time stamps. A time stamp covers all previous blocks. 0 time-stamps every new block.',
    },
    { min: 0, max: 86_400, default: 300 },
  ),
};
