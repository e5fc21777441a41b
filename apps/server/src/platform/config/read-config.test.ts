import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { readConfig } from './read-config.ts';
import { settings } from './settings.ts';

function read(argv: readonly string[], env: Record<string, string> = {}) {
  return readConfig({ argv, env, workingDir: '/srv' });
}

const production = {
  NODE_ENV: 'production',
  DEVICEPORTAL_PUBLIC_URL: 'https://portal.example',
  DEVICEPORTAL_MESSENGER: 'outbox',
};

test('[config-1] without any setting the documented defaults apply', () => {
  expect(read([])).toMatchObject({
    host: '127.0.0.1',
    loopback: true,
    port: 8080,
    broker: { kind: 'embedded', port: 8883 },
    dataDir: '/srv/.data',
    reportDir: '/srv/.data/reports',
    fleet: 200,
    agent: true,
    database: { kind: 'embedded' },
    providerSet: { kind: 'cognito' },
    sessionDurationMinutes: 720,
    signInLimits: true,
    production: false,
  });
});

test('[config-2] an option wins over its variable, in both spellings', () => {
  const env = { DEVICEPORTAL_PORT: '1', DEVICEPORTAL_FLEET: '2', DEVICEPORTAL_AGENT: 'on' };
  const argv = ['--port', '9000', '--fleet=5', '--no-agent', '--roles', 'web,worker'];
  const config = read(argv, env);
  expect(config).toMatchObject({ port: 9000, fleet: 5, agent: false });
  expect([...config.roles]).toEqual(['web', 'worker']);
});

test('[config-3] a region in China selects the other provider set', () => {
  const config = read([], { DEVICEPORTAL_REGION: 'cn-north-1' });
  expect(config.providerSet).toEqual({ kind: 'authing', source: 'embedded' });
});

describe('[config-4] what cannot be is refused with one line that names the setting', () => {
  const refused: readonly [string, readonly string[], Record<string, string>, RegExp][] = [
    ['unknown option', ['--prot', '1'], {}, /Unknown option --prot/],
    ['stray word', ['start'], {}, /Unknown option start/],
    ['unknown variable', [], { DEVICEPORTAL_PROT: '1' }, /DEVICEPORTAL_PROT/],
    ['missing value', ['--port'], {}, /--port \(DEVICEPORTAL_PORT\) needs a value/],
    ['twice', ['--port=1', '--port=2'], {}, /given twice/],
    ['no number', ['--port', 'many'], {}, /DEVICEPORTAL_PORT\) must be an integer/],
    ['out of range', ['--port', '70000'], {}, /from 0 to 65535/],
    ['unknown role', ['--roles', 'web,cook'], {}, /DEVICEPORTAL_ROLES/],
    ['same ports', ['--port=9000', '--mqtt-port=9000'], {}, /must differ/],
    [
      'two brokers',
      ['--mqtt-port=9000'],
      { DEVICEPORTAL_MQTT_URL: 'mqtt://broker' },
      /DEVICEPORTAL_MQTT_URL/,
    ],
    [
      'two databases',
      [],
      { DEVICEPORTAL_DATABASE_URL: 'postgres://a/b', DEVICEPORTAL_DATABASE_HOST: 'h' },
      /DEVICEPORTAL_DATABASE_HOST/,
    ],
    ['host alone', [], { DEVICEPORTAL_DATABASE_HOST: 'h' }, /DEVICEPORTAL_DATABASE_SECRET_ID/],
    [
      'database by secret',
      [],
      {
        DEVICEPORTAL_DATABASE_HOST: 'h',
        DEVICEPORTAL_DATABASE_SECRET_ID: 's',
        DEVICEPORTAL_DATABASE_NAME: 'n',
      },
      /no adapter yet; use DEVICEPORTAL_DATABASE_URL/,
    ],
    ['queue of AWS', [], { DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'https://sqs' }, /an SQS queue/],
    ['table of AWS', [], { DEVICEPORTAL_GEOLOCATION_TABLE: 'geo' }, /a DynamoDB table/],
    ['object store', [], { DEVICEPORTAL_REPORT_LOCATION: 's3://b/p' }, /REPORT_LOCATION/],
    [
      'wrong provider',
      [],
      { DEVICEPORTAL_REGION: 'cn-north-1', DEVICEPORTAL_PROVIDER_SET: 'cognito' },
      /needs "authing"/,
    ],
    ['half a provider', [], { DEVICEPORTAL_AUTHING_APP_ID: 'a' }, /DEVICEPORTAL_AUTHING_APP_ID/],
    ['certificate alone', [], { DEVICEPORTAL_TLS_CERTIFICATE_FILE: 'c' }, /TLS_KEY_FILE/],
  ];
  test.each(refused)('%s', (_name, argv, env, line) => {
    expect(() => read(argv, env)).toThrow(StartError);
    expect(() => read(argv, env)).toThrow(line);
  });
});

describe('[config-5] production refuses insecure development defaults', () => {
  test('a complete production setting starts without sample devices', () => {
    expect(read([], production)).toMatchObject({ production: true, fleet: 0, agent: false });
  });
  const refused: readonly [string, Record<string, string>, RegExp][] = [
    ['no https', { DEVICEPORTAL_PUBLIC_URL: 'http://portal.example' }, /PUBLIC_URL/],
    ['no limits', { DEVICEPORTAL_SIGN_IN_LIMITS: 'off' }, /SIGN_IN_LIMITS/],
    ['simulated devices', { DEVICEPORTAL_FLEET: '10' }, /DEVICEPORTAL_FLEET/],
    ['codes on a page by default', { DEVICEPORTAL_MESSENGER: '' }, /MESSENGER/],
    ['open without TLS', { DEVICEPORTAL_HOST: '0.0.0.0' }, /DEVICEPORTAL_HOST/],
  ];
  test.each(refused)('%s', (_name, env, line) => {
    expect(() => read([], { ...production, ...env })).toThrow(line);
  });
});

test('[config-6] a secret value is never repeated in the line that refuses it', () => {
  const env = { DEVICEPORTAL_DATABASE_URL: 'mysql://root:hunter2@host/db' };
  expect(() => read([], env)).toThrow(/^(?!.*hunter2).*DEVICEPORTAL_DATABASE_URL/);
});

test('[config-7] no command line makes the reader fail in any other way than with its line', () => {
  const argument = fc.oneof(fc.string(), fc.constantFrom('--port', '--fleet', '--no-agent', '1'));
  const failureOf = (argv: readonly string[]): unknown => {
    try {
      return read(argv) && undefined;
    } catch (error) {
      return error;
    }
  };
  const onlyItsLine = fc.property(fc.array(argument), (argv) => {
    const failure = failureOf(argv);
    return failure === undefined || failure instanceof StartError;
  });
  expect(() => fc.assert(onlyItsLine, { numRuns: 300 })).not.toThrow();
});

test('[config-8] every variable and option stands for one setting only', () => {
  const all = Object.values(settings);
  const names = all.flatMap(({ env, flag, bareFlag }) => [env, flag ?? bareFlag?.name ?? env]);
  const flags = all.flatMap(({ flag, bareFlag }) => flag ?? bareFlag?.name ?? []);
  expect(new Set(all.map(({ env }) => env)).size).toBe(all.length);
  expect(new Set(flags).size).toBe(flags.length);
  expect(names.every((name) => name.length > 0)).toBe(true);
});
