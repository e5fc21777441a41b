import { expect, test } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { readConfig } from '../read-config.ts';

const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ argv: [], env, workingDir: '/srv' }).audit.streams;

const production = {
  NODE_ENV: 'production',
  DEVICEPORTAL_PUBLIC_URL: 'https://portal.example',
  DEVICEPORTAL_MESSENGER: 'outbox',
};

test('events are not streamed by default', () => {
  expect(read({})).toEqual({ syslog: undefined, https: undefined, showsPeople: false });
});

test('both receivers can be set, and people are masked unless the setting says otherwise', () => {
  const receivers = {
    DEVICEPORTAL_AUDIT_STREAM_SYSLOG: 'tls://siem.example:6514',
    DEVICEPORTAL_AUDIT_STREAM_SYSLOG_CA_FILE: 'siem.pem',
    DEVICEPORTAL_AUDIT_STREAM_URL: 'https://siem.example/events',
    DEVICEPORTAL_AUDIT_STREAM_AUTHORIZATION: 'Splunk 0123',
  };
  expect(read(receivers)).toEqual({
    syslog: { url: 'tls://siem.example:6514', caFile: '/srv/siem.pem' },
    https: {
      ...{ url: 'https://siem.example/events', format: 'ndjson' },
      ...{ authorization: 'Splunk 0123', signingSecret: undefined },
    },
    showsPeople: false,
  });
  expect(read({ ...receivers, DEVICEPORTAL_AUDIT_STREAM_PEOPLE: 'shown' }).showsPeople).toBe(true);
});

test.each([
  ['datagrams, which can get lost', { DEVICEPORTAL_AUDIT_STREAM_SYSLOG: 'udp://siem:514' }],
  ['a header without a URL', { DEVICEPORTAL_AUDIT_STREAM_AUTHORIZATION: 'Bearer x' }],
  ['a format without a URL', { DEVICEPORTAL_AUDIT_STREAM_FORMAT: 'json' }],
  [
    'a header of two lines',
    {
      DEVICEPORTAL_AUDIT_STREAM_URL: 'https://siem.example',
      DEVICEPORTAL_AUDIT_STREAM_AUTHORIZATION: 'a\r\nb: c',
    },
  ],
  [
    'a URL without TLS in production',
    { ...production, DEVICEPORTAL_AUDIT_STREAM_URL: 'http://siem.example' },
  ],
  [
    'syslog without TLS in production',
    { ...production, DEVICEPORTAL_AUDIT_STREAM_SYSLOG: 'tcp://siem.example' },
  ],
])('%s is an error', (_what, env) => {
  expect(() => read(env)).toThrow(StartError);
});
