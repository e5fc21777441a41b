import { expect, test } from 'vitest';
import { readConfig } from '../read-config.ts';

const read = (env: Record<string, string>) => readConfig({ argv: [], env, workingDir: '/srv' });

const production = {
  NODE_ENV: 'production',
  DEVICEPORTAL_PUBLIC_URL: 'https://portal.example.com',
  DEVICEPORTAL_MESSENGER: 'outbox',
};
const port = { DEVICEPORTAL_WEB_PAGES_PORT: '8090' };
const origin = { DEVICEPORTAL_WEB_PAGES_ORIGIN: 'https://*.pages.example.net' };

test('web pages need no setting on one machine, and an origin elsewhere', () => {
  expect(read({}).webPages).toEqual({ origin: undefined, port: 0 });
  expect(read({ DEVICEPORTAL_HOST: '0.0.0.0' }).webPages).toBeUndefined();
  expect(read(production).webPages).toBeUndefined();
  expect(read({ ...production, ...port, ...origin }).webPages).toEqual({
    origin: 'https://*.pages.example.net',
    port: 8090,
  });
});

test.each([
  ['without a port', { ...origin }, 'DEVICEPORTAL_WEB_PAGES_PORT'],
  [
    'without TLS',
    { ...port, DEVICEPORTAL_WEB_PAGES_ORIGIN: 'http://*.pages.example.net' },
    'https',
  ],
  [
    'below the host of the portal',
    { ...port, DEVICEPORTAL_WEB_PAGES_ORIGIN: 'https://*.portal.example.com' },
    'cannot set cookies for the portal',
  ],
  [
    'above the host of the portal',
    { ...port, DEVICEPORTAL_WEB_PAGES_ORIGIN: 'https://*.example.com' },
    'cannot set cookies for the portal',
  ],
  [
    'that is one host for all sessions',
    { ...port, DEVICEPORTAL_WEB_PAGES_ORIGIN: 'https://pages.example.net' },
    'must be https://*.',
  ],
  [
    'with a path',
    { ...port, DEVICEPORTAL_WEB_PAGES_ORIGIN: 'https://*.pages.example.net/a' },
    'must be https://*.',
  ],
])('an origin %s stops the start', (_how, env, line) => {
  expect(() => read({ ...production, ...env })).toThrow(line);
});
