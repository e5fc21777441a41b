import { expect, test } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { readConfig } from '../read-config.ts';

const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ argv: [], env, workingDir: '/srv' }).tables;

test('a table is the database unless it is named', () => {
  expect(read({ DEVICEPORTAL_DEVICE_VERSION_TABLE: 'devices' }).names).toEqual({
    'software-versions': undefined,
    'device-versions': 'devices',
    geolocations: undefined,
  });
});

test('an endpoint without a table is an error', () => {
  expect(() => read({ DEVICEPORTAL_TABLE_ENDPOINT: 'http://localhost:8000' })).toThrow(StartError);
});
