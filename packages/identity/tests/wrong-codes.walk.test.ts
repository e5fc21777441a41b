import { expect, it } from 'vitest';
import { answer, start } from './support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, otherCode } from './support/wire-clients.ts';

const WRONG_CODES = 10_000;
const ADDRESSES = 200;
const WINDOW_MS = 15 * 60_000;
const bora = { username: 'bora', email: 'bora@corp.example' };

it('with 10,000 incorrect codes from 200 addresses, no attempt succeeds, 100 are checked, other users sign in normally, and the user signs in after an administrator has unlocked the account', async () => {
  await using server = await startIdentityServer();
  const { sub } = await server.service.users.createUser(anna);
  await server.service.users.createUser(bora);
  let session: string | undefined;
  let lookedAt = 0;
  for (let guess = 0; guess < WRONG_CODES; guess += 1) {
    const address = `198.51.100.${guess % ADDRESSES}`;
    if (guess % 50 === 0) {
      server.clock.advance(60_000);
      session = (await start(server, anna.username, address)).Session ?? session;
    }
    const code = otherCode(server.codeFor(anna.email));
    const reply = await answer(server, { username: anna.username, session, code, address });
    expect(reply.AuthenticationResult).toBeUndefined();
    if (reply.ChallengeName !== undefined || reply.message?.startsWith('Incorrect')) lookedAt += 1;
    session = reply.Session ?? session;
    // In the middle of it somebody else signs in as always.
    if (guess === WRONG_CODES / 2) {
      expect(await signInOwn(server, bora, '203.0.113.7')).toBe(true);
    }
  }
  expect(lookedAt).toBeGreaterThan(100);
  expect((await server.service.users.findLocks([sub])).get(sub)?.wrong).toBe(100);

  server.clock.advance(WINDOW_MS);
  expect(await signInOwn(server, anna, '203.0.113.8')).toBe(false);
  await server.service.users.unlockUser(sub);
  server.clock.advance(WINDOW_MS);
  expect(await signInOwn(server, anna, '203.0.113.8')).toBe(true);
  expect(server.failures).toEqual([]);
}, 110_000);

/** One sign-in with the right code. */
async function signInOwn(
  server: IdentityServer,
  { username, email }: { readonly username: string; readonly email: string },
  address: string,
): Promise<boolean> {
  const { Session: session } = await start(server, username, address);
  const code = server.codeFor(email);
  const reply = await answer(server, { username, session, code, address });
  return reply.AuthenticationResult !== undefined;
}
