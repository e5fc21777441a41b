import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
beforeAll(async () => {
  portal = await startTestServer();
});
afterAll(() => portal[Symbol.asyncDispose]());

async function codeOf(token: string): Promise<number | undefined> {
  const reply = await fetch(`${portal.url}/api/trpc/session.get`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = (await reply.json()) as {
    readonly error?: { readonly json: { readonly data: { readonly portal: { code: number } } } };
  };
  return answer.error?.json.data.portal.code;
}

test('a stranger who names unknown keys cannot make the portal report an unavailable provider', async () => {
  const good = await portal.signIn('admin');
  const codes: (number | undefined)[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const header = JSON.stringify({ alg: 'RS256', kid: `key-${attempt}` });
    const forged = `${Buffer.from(header).toString('base64url')}${good.slice(good.indexOf('.'))}`;
    codes.push(await codeOf(forged));
  }
  expect(codes).toEqual(codes.map(() => 2001));
  expect(await codeOf(good)).toBeUndefined();
});
