import { integer, optionalText, optionalUrl } from './setting.ts';

const group = 'Audit trail';

export const auditSettings = {
  auditKeysFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_KEYS_FILE',
    group,
    description:
      'JSON file of further public keys whose seals count, for the trail of an earlier installation; a saved checkpoint is one. `npm run verify-audit` and `npm run check-export` read it, too.',
  }),
  auditAnchorFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_ANCHOR_FILE',
    group,
    description:
      'File to which every sealed block is appended, and every time stamp. It proves something where those who can write to the database cannot write to it: on another machine.',
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
  auditAnchorTsa: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA',
      group,
      description: 'Time-stamp authority (RFC 3161) that stamps the newest block.',
    },
    ['http:', 'https:'],
  ),
  auditAnchorTsaCaFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA_CA_FILE',
    group,
    description: 'PEM certificates of the time-stamp authorities that are trusted.',
  }),
  auditAnchorTsaSeconds: integer(
    {
      env: 'DEVICEPORTAL_AUDIT_ANCHOR_TSA_SECONDS',
      group,
      description:
        'Least time between two time stamps. A stamp covers all blocks before it. 0 stamps as often as blocks are made.',
    },
    { min: 0, max: 86_400, default: 300 },
  ),
};
