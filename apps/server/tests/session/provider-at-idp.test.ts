import { stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test('[idp-start-1] one application is there from the first start, and its secret is for its owner only', async () => {
  const config = (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
  expect(config.provider).toMatchObject({
    host: '/idp',
    appId: 'deviceportal',
    userPoolId: config.userPoolId,
  });
  expect(config.provider?.redirectUris[0]).toMatch(/\/signin$/);
  const file = join(server.installation.dataDir, 'keys', 'idp-application.secret');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const secret = (await readFile(file, 'utf8')).trim();
  expect(secret.length).toBeGreaterThan(40);
  expect(JSON.stringify(config)).not.toContain(secret);
});

test('[idp-start-2] the public key for passwords is there, and the people of the first start are known', async () => {
  const answer = await fetch(`${server.url}/idp/api/v2/.well-known`);
  expect(await answer.json()).toMatchObject({
    code: 200,
    data: { publicKey: expect.stringContaining('BEGIN PUBLIC KEY') },
  });
  const known = await fetch(`${server.url}/idp/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($email: String) { isUserExists(email: $email) }',
      variables: { email: 'admin@deviceportal.local' },
    }),
  });
  expect(await known.json()).toEqual({ data: { isUserExists: true } });
});
