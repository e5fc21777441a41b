import { expect, test } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { readConfig } from '../read-config.ts';

const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ argv: [], env, workingDir: '/srv' }).telemetry;

test('nothing is exported by default', () => {
  expect(read({})).toBeUndefined();
});

test('headers are decoded, and every tenth trace is recorded', () => {
  expect(
    read({
      DEVICEPORTAL_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      DEVICEPORTAL_OTLP_HEADERS: 'authorization=Bearer%20a%3D,x-scope=portal',
    }),
  ).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    headers: { authorization: 'Bearer a=', 'x-scope': 'portal' },
    traceShare: 0.1,
  });
});

test('headers that are no pairs are an error', () => {
  const env = { DEVICEPORTAL_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(() => read({ ...env, DEVICEPORTAL_OTLP_HEADERS: 'Bearer token' })).toThrow(StartError);
});
