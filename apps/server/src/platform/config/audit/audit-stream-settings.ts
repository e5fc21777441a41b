import { choice, optionalText, optionalUrl } from '../setting.ts';

const group = 'Audit trail';

/** Receivers of all events, such as a SIEM. */
export const auditStreamSettings = {
  auditStreamSyslog: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_SYSLOG',
      group,
      description:
        'Syslog receiver to which every event of the audit trail is sent as JSON (RFC 5424): `tcp://host:601` or `tls://host:6514`.',
    },
    ['tcp:', 'tls:'],
  ),
  auditStreamSyslogCaFile: optionalText({
    env: 'DEVICEPORTAL_AUDIT_STREAM_SYSLOG_CA_FILE',
    group,
    description: 'PEM certificate authority of a `tls:` receiver of events.',
  }),
  auditStreamUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_URL',
      group,
      description: 'URL to which every event of the audit trail is sent by `POST` requests.',
    },
    ['http:', 'https:'],
  ),
  auditStreamFormat: choice(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_FORMAT',
      group,
      description:
        'Body of these requests: `ndjson` (one event in each line), or `json` (an array of events).',
    },
    ['ndjson', 'json'],
    'ndjson',
  ),
  auditStreamAuthorization: optionalText(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_AUTHORIZATION',
      group,
      secret: true,
      description:
        'Value of the header `Authorization` of these requests, for example `Bearer …` or `Splunk …`.',
    },
    { test: /^[!-~](?:[ -~]{0,4094}[!-~])?$/, says: 'must be the value of an HTTP header' },
  ),
  auditStreamSigningSecret: optionalText(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_SIGNING_SECRET',
      group,
      secret: true,
      description:
        'Secret with which these requests are signed, at least 32 characters. Default: no signature.',
    },
    { test: /^.{32,1024}$/, says: 'must have at least 32 characters' },
  ),
  auditStreamPeople: choice(
    {
      env: 'DEVICEPORTAL_AUDIT_STREAM_PEOPLE',
      group,
      description:
        'Whether receivers get names and addresses of people: `masked` for the first letter and no address, or `shown`. An erasure cannot reach what was sent.',
    },
    ['masked', 'shown'],
    'masked',
  ),
};
