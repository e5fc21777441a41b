import { expect, describe, test } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { readConfig } from '../read-config.ts';

function read(env: Record<string, string> = {}) {
  return readConfig({ argv: [], env, workingDir: '/srv' });
}

const bySecret = {
  DEVICEPORTAL_DATABASE_HOST: 'db.example',
  DEVICEPORTAL_DATABASE_NAME: 'portal',
  DEVICEPORTAL_DATABASE_SECRET_ID: 'portal/database',
};

test('the settings of a database select its connector', () => {
  const server = { host: 'db.example', port: 5_432, name: 'portal', caFile: '/srv/rds.pem' };
  const caFile = { DEVICEPORTAL_DATABASE_CA_FILE: 'rds.pem' };
  const { DEVICEPORTAL_DATABASE_SECRET_ID: secretId, ...host } = bySecret;
  expect(read({ ...bySecret, ...caFile }).database).toEqual({
    ...{ kind: 'secret', server, secretId },
    secrets: { region: 'us-east-1', endpoint: undefined },
  });
  const iam = { ...host, ...caFile, DEVICEPORTAL_DATABASE_USER: 'portal' };
  expect(read({ ...iam, DEVICEPORTAL_DATABASE_OWNER_USER: 'owner' }).database).toEqual({
    kind: 'iam',
    server,
    user: 'portal',
    ownerUser: 'owner',
    region: 'us-east-1',
  });
});

describe('rejects contradicting settings of a database with one line', () => {
  const refused: readonly [string, Record<string, string>, RegExp][] = [
    [
      'two databases',
      { DEVICEPORTAL_DATABASE_URL: 'postgres://a/b', DEVICEPORTAL_DATABASE_HOST: 'h' },
      /DEVICEPORTAL_DATABASE_HOST/,
    ],
    ['host alone', { DEVICEPORTAL_DATABASE_HOST: 'h' }, /DEVICEPORTAL_DATABASE_SECRET_ID/],
    [
      'a secret with a URL',
      { DEVICEPORTAL_DATABASE_URL: 'postgres://a/b', DEVICEPORTAL_DATABASE_SECRET_ID: 's' },
      /DATABASE_SECRET_ID is set, but the database connector is "url"/,
    ],
    [
      'a user with a secret',
      { ...bySecret, DEVICEPORTAL_DATABASE_CONNECTOR: 'secret', DEVICEPORTAL_DATABASE_USER: 'u' },
      /DATABASE_USER is set, but DEVICEPORTAL_DATABASE_CONNECTOR is "secret"/,
    ],
    [
      'a host of the embedded database',
      { DEVICEPORTAL_DATABASE_CONNECTOR: 'embedded', DEVICEPORTAL_DATABASE_HOST: 'h' },
      /DATABASE_HOST is set, but DEVICEPORTAL_DATABASE_CONNECTOR is "embedded"/,
    ],
    [
      'IAM without a user',
      {
        DEVICEPORTAL_DATABASE_CONNECTOR: 'iam',
        DEVICEPORTAL_DATABASE_HOST: 'h',
        DEVICEPORTAL_DATABASE_NAME: 'n',
      },
      /DATABASE_USER is missing/,
    ],
    ['an owner alone', { DEVICEPORTAL_DATABASE_OWNER_URL: 'postgres://a/b' }, /DATABASE_URL is/],
    [
      'authorities that the URL does not use',
      {
        DEVICEPORTAL_DATABASE_URL: 'postgres://db.example/b?sslmode=no-verify',
        DEVICEPORTAL_DATABASE_CA_FILE: 'ca.pem',
      },
      /DATABASE_URL switches this off/,
    ],
  ];
  test.each(refused)('%s', (_name, env, line) => {
    expect(() => read(env)).toThrow(StartError);
    expect(() => read(env)).toThrow(line);
  });
});
