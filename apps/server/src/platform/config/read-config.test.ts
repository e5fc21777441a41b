import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StartError } from '../process/start-error.ts';
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

const bySecret = {
  DEVICEPORTAL_DATABASE_HOST: 'db.example',
  DEVICEPORTAL_DATABASE_NAME: 'portal',
  DEVICEPORTAL_DATABASE_SECRET_ID: 'portal/database',
};

test('uses the documented defaults', () => {
  expect(read([])).toMatchObject({
    host: '127.0.0.1',
    loopback: true,
    port: 8080,
    broker: { kind: 'embedded', port: 8883 },
    dataDir: '/srv/.data',
    files: { kind: 'directory', directory: '/srv/.data' },
    reports: { kind: 'directory', directory: '/srv/.data/reports' },
    fleet: 200,
    agent: true,
    database: { kind: 'embedded' },
    providerSet: { kind: 'cognito' },
    sessionDurationMinutes: 720,
    signInLimits: true,
    production: false,
  });
});

test('an option takes precedence over its variable, in both spellings', () => {
  const env = { DEVICEPORTAL_PORT: '1', DEVICEPORTAL_FLEET: '2', DEVICEPORTAL_AGENT: 'on' };
  const argv = ['--port', '9000', '--fleet=5', '--no-agent', '--roles', 'web,worker'];
  const config = read(argv, env);
  expect(config).toMatchObject({ port: 9000, fleet: 5, agent: false });
  expect([...config.roles]).toEqual(['web', 'worker']);
});

test('pages of other origins sign in from this machine, and in production from none by default', () => {
  expect(read([]).identityOrigins).toBe('loopback');
  expect(read([], production).identityOrigins).toEqual([]);
  expect(read([], { DEVICEPORTAL_IDENTITY_ORIGINS: 'none' }).identityOrigins).toEqual([]);
  const origins = 'https://shop.example, https://help.example:8443';
  expect(
    read([], { ...production, DEVICEPORTAL_IDENTITY_ORIGINS: origins }).identityOrigins,
  ).toEqual(['https://shop.example', 'https://help.example:8443']);
});

test('files and reports are in the data folder, in S3, or in different places', () => {
  const s3 = { kind: 's3', bucket: 'bucket', region: 'us-east-1', endpoint: undefined };
  const places = (env: Record<string, string>) => {
    const { files, reports } = read([], env);
    return [files, reports];
  };
  expect(places({ DEVICEPORTAL_FILES: 's3://bucket/a/b/' })).toEqual([
    { ...s3, prefix: ['a', 'b'] },
    { ...s3, prefix: ['a', 'b', 'reports'] },
  ]);
  expect(
    places({ DEVICEPORTAL_FILES: 's3://bucket', DEVICEPORTAL_REPORT_LOCATION: 'reports' }),
  ).toEqual([
    { ...s3, prefix: [] },
    { kind: 'directory', directory: '/srv/.data/reports' },
  ]);
  expect(
    places({
      DEVICEPORTAL_REPORT_LOCATION: 's3://bucket/r',
      DEVICEPORTAL_FILES_ENDPOINT: 'http://127.0.0.1:9000',
    }),
  ).toEqual([
    { kind: 'directory', directory: '/srv/.data' },
    { ...s3, prefix: ['r'], endpoint: 'http://127.0.0.1:9000' },
  ]);
});

test('a region in China selects the other provider set', () => {
  const config = read([], { DEVICEPORTAL_REGION: 'cn-north-1' });
  expect(config.providerSet).toEqual({ kind: 'authing', source: 'embedded' });
});

describe('rejects invalid settings with one line that names the setting', () => {
  const ses = { DEVICEPORTAL_MESSENGER: 'ses', DEVICEPORTAL_MAIL_FROM: 'a@b.example' };
  const refused: readonly [string, readonly string[], Record<string, string>, RegExp][] = [
    ['unknown option', ['--prot', '1'], {}, /Unknown option --prot/],
    ['stray word', ['start'], {}, /Unknown option start/],
    ['unknown variable', [], { DEVICEPORTAL_PROT: '1' }, /DEVICEPORTAL_PROT/],
    ['missing value', ['--port'], {}, /--port \(DEVICEPORTAL_PORT\) needs a value/],
    ['twice', ['--port=1', '--port=2'], {}, /set twice/],
    ['no number', ['--port', 'many'], {}, /DEVICEPORTAL_PORT\) must be an integer/],
    ['out of range', ['--port', '70000'], {}, /from 0 to 65535/],
    ['unknown role', ['--roles', 'web,cook'], {}, /DEVICEPORTAL_ROLES/],
    ['same ports', ['--port=9000', '--mqtt-port=9000'], {}, /must be different/],
    [
      'two brokers',
      ['--mqtt-port=9000'],
      { DEVICEPORTAL_MQTT_URL: 'mqtt://broker' },
      /DEVICEPORTAL_MQTT_URL/,
    ],
    ['queue without name', [], { DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'https://sqs' }, /"mqtt"/],
    ['table by ARN', [], { DEVICEPORTAL_GEOLOCATION_TABLE: 'arn:x/geo' }, /a DynamoDB table/],
    [
      'other object store',
      [],
      { DEVICEPORTAL_REPORT_LOCATION: 'gs://bucket/p' },
      /must be a folder/,
    ],
    ['no bucket', [], { DEVICEPORTAL_FILES: 's3://B/p' }, /form s3:\/\/bucket\/prefix/],
    ['a way out of the prefix', [], { DEVICEPORTAL_FILES: 's3://bucket/../p' }, /form s3:/],
    [
      'endpoint without S3',
      [],
      { DEVICEPORTAL_FILES_ENDPOINT: 'http://127.0.0.1:9000' },
      /neither DEVICEPORTAL_FILES nor DEVICEPORTAL_REPORT_LOCATION/,
    ],
    [
      'files too large for S3',
      [],
      {
        DEVICEPORTAL_FILES: 's3://bucket',
        DEVICEPORTAL_SOFTWARE_ARTIFACT_LIMIT_BYTES: String(100 * 1024 ** 3),
      },
      /the largest upload to DEVICEPORTAL_FILES/,
    ],
    [
      'wrong provider',
      [],
      { DEVICEPORTAL_REGION: 'cn-north-1', DEVICEPORTAL_PROVIDER_SET: 'cognito' },
      /needs "authing"/,
    ],
    ['half a provider', [], { DEVICEPORTAL_AUTHING_APP_ID: 'a' }, /DEVICEPORTAL_AUTHING_APP_ID/],
    ['pool without client', [], { DEVICEPORTAL_USER_POOL: 'us-east-1_X' }, /USER_POOL_CLIENT_ID/],
    ['client without pool', [], { DEVICEPORTAL_USER_POOL_CLIENT_ID: 'c' }, /"embedded"/],
    ['no pool id', [], { DEVICEPORTAL_USER_POOL: 'my pool' }, /must be "embedded" or/],
    [
      'identity pool alone',
      [],
      { DEVICEPORTAL_IDENTITY_POOL: 'us-east-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10' },
      /belongs to a hosted user pool/,
    ],
    [
      'identity endpoint alone',
      [],
      { DEVICEPORTAL_IDENTITY_POOL_ENDPOINT: 'https://identity.example' },
      /belongs to a hosted identity pool/,
    ],
    [
      'hosted pool in China',
      [],
      {
        DEVICEPORTAL_REGION: 'cn-north-1',
        DEVICEPORTAL_USER_POOL: 'us-east-1_X',
        DEVICEPORTAL_USER_POOL_CLIENT_ID: 'c',
      },
      /provider set is "authing"/,
    ],
    ['no sender', [], { DEVICEPORTAL_MESSENGER: 'ses' }, /"ses", but DEVICEPORTAL_MAIL_FROM is/],
    ['mail server of SES', [], { ...ses, DEVICEPORTAL_SMTP_URL: 'smtp://m' }, /is not "smtp"/],
    ['texts without email', [], { DEVICEPORTAL_SMS_GATEWAY: 'sns' }, /is not "smtp" or "ses"/],
    [
      'two gateways',
      [],
      { ...ses, DEVICEPORTAL_SMS_GATEWAY: 'sns', DEVICEPORTAL_SMS_WEBHOOK_URL: 'https://sms' },
      /SMS_GATEWAY is not "webhook"/,
    ],
    [
      'no gateway',
      [],
      { ...ses, DEVICEPORTAL_SMS_GATEWAY: 'webhook' },
      /SMS_WEBHOOK_URL is missing/,
    ],
    ['sender without SNS', [], { ...ses, DEVICEPORTAL_SMS_SENDER_ID: 'Portal' }, /is not "sns"/],
    ['a path', [], { DEVICEPORTAL_IDENTITY_ORIGINS: 'https://shop.example/' }, /IDENTITY_ORIGINS/],
    ['any origin', [], { DEVICEPORTAL_IDENTITY_ORIGINS: '*' }, /"none" or a list of origins/],
    ['the origin null', [], { DEVICEPORTAL_IDENTITY_ORIGINS: 'null' }, /list of origins/],
    ['no role', [], { DEVICEPORTAL_AIR_BLAST_ROLE: 'AirBlast' }, /must be the ARN of a role/],
    ['STS alone', [], { DEVICEPORTAL_STS_ENDPOINT: 'https://sts' }, /AIR_BLAST_ROLE is missing/],
    ['certificate alone', [], { DEVICEPORTAL_TLS_CERTIFICATE_FILE: 'c' }, /TLS_KEY_FILE/],
  ];
  test.each(refused)('%s', (_name, argv, env, line) => {
    expect(() => read(argv, env)).toThrow(StartError);
    expect(() => read(argv, env)).toThrow(line);
  });
});

describe('[config-5] production refuses insecure development defaults', () => {
  test('a complete production configuration has no sample devices', () => {
    expect(read([], production)).toMatchObject({ production: true, fleet: 0, agent: false });
  });
  const elsewhere = {
    DEVICEPORTAL_HOST: '0.0.0.0',
    DEVICEPORTAL_TLS_CERTIFICATE_FILE: 'c.pem',
    DEVICEPORTAL_TLS_KEY_FILE: 'k.pem',
  };
  const mail = { DEVICEPORTAL_MESSENGER: 'smtp', DEVICEPORTAL_MAIL_FROM: 'a@b.example' };
  const hosted = {
    DEVICEPORTAL_USER_POOL: 'eu-west-1_AbC123',
    DEVICEPORTAL_USER_POOL_CLIENT_ID: 'client',
    DEVICEPORTAL_IDENTITY_POOL: 'eu-west-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10',
  };
  const authing = {
    DEVICEPORTAL_REGION: 'cn-north-1',
    DEVICEPORTAL_AUTHING_APP_ID: 'app',
    DEVICEPORTAL_AUTHING_HOST: 'https://idp.example',
    DEVICEPORTAL_AUTHING_ISSUER: 'https://idp.example/oidc',
    DEVICEPORTAL_AUTHING_KEY_SET_URL: 'https://idp.example/keys',
  };
  const database = 'postgres://portal:hunter2@db.example/portal';
  const refused: readonly [string, Record<string, string>, RegExp][] = [
    ['no https', { DEVICEPORTAL_PUBLIC_URL: 'http://portal.example' }, /PUBLIC_URL/],
    ['no limits', { DEVICEPORTAL_SIGN_IN_LIMITS: 'off' }, /SIGN_IN_LIMITS/],
    ['simulated devices', { DEVICEPORTAL_FLEET: '10' }, /DEVICEPORTAL_FLEET/],
    ['codes on a page by default', { DEVICEPORTAL_MESSENGER: '' }, /MESSENGER/],
    ['codes on a page of a public host', elsewhere, /MESSENGER/],
    ['open without TLS', { DEVICEPORTAL_HOST: '0.0.0.0' }, /DEVICEPORTAL_HOST/],
    [
      'open without TLS or a proxy',
      { DEVICEPORTAL_HOST: '0.0.0.0', DEVICEPORTAL_TRUST_PROXY: 'off' },
      /TRUST_PROXY/,
    ],
    [
      'a provider over http',
      { ...authing, DEVICEPORTAL_AUTHING_HOST: 'http://idp.example' },
      /AUTHING_HOST must be https/,
    ],
    [
      'an issuer over http',
      { ...authing, DEVICEPORTAL_AUTHING_ISSUER: 'http://idp.example/oidc' },
      /AUTHING_ISSUER must be https/,
    ],
    [
      'a key set over http',
      { ...authing, DEVICEPORTAL_AUTHING_KEY_SET_URL: 'http://idp.example/keys' },
      /AUTHING_KEY_SET_URL must be https/,
    ],
    [
      'a user pool over http',
      { ...hosted, DEVICEPORTAL_USER_POOL_ENDPOINT: 'http://pool.example' },
      /USER_POOL_ENDPOINT must be https/,
    ],
    [
      'an identity pool over http',
      { ...hosted, DEVICEPORTAL_IDENTITY_POOL_ENDPOINT: 'http://pool.example' },
      /IDENTITY_POOL_ENDPOINT must be https/,
    ],
    ['a broker without TLS', { DEVICEPORTAL_MQTT_URL: 'mqtt://broker.example' }, /must be mqtts/],
    [
      'an origin over http',
      { DEVICEPORTAL_IDENTITY_ORIGINS: 'https://a.example,http://shop.example' },
      /IDENTITY_ORIGINS must be https/,
    ],
    [
      'mail without TLS',
      { ...mail, DEVICEPORTAL_SMTP_URL: 'smtp://u:hunter2@mail.example' },
      /must be smtps/,
    ],
    ['a database without TLS', { DEVICEPORTAL_DATABASE_URL: database }, /sslmode/],
    [
      'a database whose TLS is switched off',
      { DEVICEPORTAL_DATABASE_URL: `${database}?sslmode=disable` },
      /sslmode/,
    ],
    [
      'a database whose certificate is not verified',
      { DEVICEPORTAL_DATABASE_URL: `${database}?sslmode=require&uselibpqcompat=true` },
      /sslmode/,
    ],
    [
      'a store of secrets over http',
      { ...bySecret, DEVICEPORTAL_DATABASE_SECRET_ENDPOINT: 'http://secrets.example' },
      /DATABASE_SECRET_ENDPOINT must be https/,
    ],
    [
      'Athena over http',
      {
        DEVICEPORTAL_FILES: 's3://files',
        DEVICEPORTAL_ANALYTICS_WORKGROUP: 'portal',
        DEVICEPORTAL_ANALYTICS_ENDPOINT: 'http://athena.example',
      },
      /ANALYTICS_ENDPOINT must be https/,
    ],
    ['certificates that nobody checks', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /NODE_TLS_REJECT/],
  ];
  test.each(refused)('%s', (_name, env, line) => {
    const start = () => read([], { ...production, ...env });
    expect(start).toThrow(StartError);
    expect(start).toThrow(line);
    expect(start).toThrow(/^(?!.*hunter2)[^\n]* with NODE_ENV=production\.$/);
  });

  const accepted: readonly [string, Record<string, string>][] = [
    [
      'a public host with TLS',
      { ...elsewhere, ...mail, DEVICEPORTAL_SMTP_URL: 'smtps://m.example' },
    ],
    [
      'mail that switches to TLS',
      { ...mail, DEVICEPORTAL_SMTP_URL: 'smtp://m.example:587?requireTLS=true' },
    ],
    ['a relay on this machine', { ...mail, DEVICEPORTAL_SMTP_URL: 'smtp://localhost:25' }],
    ['a broker on this machine', { DEVICEPORTAL_MQTT_URL: 'mqtt://127.0.0.1' }],
    ['a database with TLS', { DEVICEPORTAL_DATABASE_URL: `${database}?sslmode=verify-full` }],
    [
      'a database with its authority',
      { DEVICEPORTAL_DATABASE_URL: database, DEVICEPORTAL_DATABASE_CA_FILE: 'rds.pem' },
    ],
    ['a database by a secret', bySecret],
    ['a database on this machine', { DEVICEPORTAL_DATABASE_URL: 'postgres://u:p@[::1]/portal' }],
    ['the external provider', authing],
    ['a hosted pool', hosted],
    [
      'a proxy that is named',
      {
        ...mail,
        DEVICEPORTAL_HOST: '0.0.0.0',
        DEVICEPORTAL_TRUST_PROXY: '10.0.0.5,fd00::/8',
        DEVICEPORTAL_SMTP_URL: 'smtps://m.example',
      },
    ],
  ];
  test.each(accepted)('%s is secure enough', (_name, env) => {
    expect(read([], { ...production, ...env })).toMatchObject({ production: true });
  });

  test('all of it is allowed in development', () => {
    for (const [, env] of refused) {
      const { DEVICEPORTAL_MESSENGER: _unset, ...given } = { ...env };
      const isMail = env['DEVICEPORTAL_SMTP_URL'] !== undefined;
      expect(() => read([], isMail ? env : given)).not.toThrow();
    }
  });
});

describe('[config-9] trusts only the configured proxies', () => {
  test.each([
    ['', []],
    ['off', []],
    ['on', ['loopback']],
    ['loopback,10.1.0.0/16', ['loopback', '10.1.0.0/16']],
    ['2001:db8::1', ['2001:db8::1']],
  ])('%j', (value, proxies) => {
    expect(read([], { DEVICEPORTAL_TRUST_PROXY: value }).trustedProxies).toEqual(proxies);
  });
  test.each([
    ...['everybody', '0.0.0.0/0', '10.0.0.0/33', '10.0.0', '::/0', '10.0.0.1/8/8'],
    ...['0.0.0.0/1', '10.0.0.0/7', 'fc00::/7'],
  ])('%s is refused', (value) => {
    expect(() => read([], { DEVICEPORTAL_TRUST_PROXY: value })).toThrow(/DEVICEPORTAL_TRUST_PROXY/);
  });
});

test('the error line never contains a secret value', () => {
  const env = { DEVICEPORTAL_DATABASE_URL: 'mysql://root:hunter2@host/db' };
  expect(() => read([], env)).toThrow(/^(?!.*hunter2).*DEVICEPORTAL_DATABASE_URL/);
});

test('any command line is parsed or fails with one line', () => {
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

test('every variable and option belongs to only one setting', () => {
  const all = Object.values(settings);
  const names = all.flatMap(({ env, flag, bareFlag }) => [env, flag ?? bareFlag?.name ?? env]);
  const flags = all.flatMap(({ flag, bareFlag }) => flag ?? bareFlag?.name ?? []);
  expect(new Set(all.map(({ env }) => env)).size).toBe(all.length);
  expect(new Set(flags).size).toBe(flags.length);
  expect(names.every((name) => name.length > 0)).toBe(true);
});
