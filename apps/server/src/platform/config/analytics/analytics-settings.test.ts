import { expect, test } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { readConfig } from '../read-config.ts';

const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ argv: [], env, workingDir: '/srv' }).analytics;

const workgroup = {
  DEVICEPORTAL_ANALYTICS_WORKGROUP: 'portal',
  DEVICEPORTAL_FILES: 's3://files/portal',
};

test('servers answer questions on archived months unless a workgroup is named', () => {
  expect(read({})).toBeUndefined();
  expect(read({ DEVICEPORTAL_ANALYTICS_WORKGROUP: 'database' })).toBeUndefined();
});

test('a workgroup has a table with a default name', () => {
  expect(read(workgroup)).toMatchObject({
    workgroup: 'portal',
    table: { database: 'deviceportal', name: 'audit_trail' },
  });
  expect(read({ ...workgroup, DEVICEPORTAL_ANALYTICS_TABLE: 'logs.months' })).toMatchObject({
    table: { database: 'logs', name: 'months' },
  });
});

test.each([
  ['a table whose name is SQL', { ...workgroup, DEVICEPORTAL_ANALYTICS_TABLE: 'a"b.c' }],
  ['files on the server', { DEVICEPORTAL_ANALYTICS_WORKGROUP: 'portal' }],
  ['a table without a workgroup', { DEVICEPORTAL_ANALYTICS_TABLE: 'logs.months' }],
  ['an endpoint without a workgroup', { DEVICEPORTAL_ANALYTICS_ENDPOINT: 'http://localhost' }],
])('%s is an error', (_what, env) => {
  expect(() => read(env)).toThrow(StartError);
});
