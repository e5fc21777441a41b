import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpLimits } from '../../../src/platform/http/http-limits.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const { refusals, refusalPause } = httpLimits;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer([], { DEVICEPORTAL_SIGN_IN_LIMITS: 'on' });
});
afterAll(() => server[Symbol.asyncDispose]());

const guess = (protocol: string): Promise<Response> =>
  fetch(`${server.url}/idp/${protocol}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('deviceportal:a guess')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'user' }),
  });

test('a client that guesses secrets of applications at /idp waits for each rejection after the first hundred', async () => {
  const guesses = Array.from({ length: 2 * refusals.burst }, (_, each) =>
    guess(each % 2 === 0 ? 'oidc' : 'oauth'),
  );
  const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
  expect([...statuses]).toEqual([401]);
  for (const protocol of ['oidc', 'oauth']) {
    const startedAt = performance.now();
    expect((await guess(protocol)).status).toBe(401);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(refusalPause.waitMs - 5);
  }
});
