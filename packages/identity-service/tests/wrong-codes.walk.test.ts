import { expect, it } from 'vitest';
import { answer, start } from './support/direct-client.ts';
import { startIdentityServer } from './support/identity-server.ts';
import { anna, otherCode } from './support/wire-clients.ts';

const WRONG_CODES = 10_000;
const ADDRESSES = 200;
const WINDOW_MS = 15 * 60_000;
const bora = { username: 'bora', email: 'bora@corp.example' };

it('[guess-1] 10,000 wrong codes from 200 addresses: nobody wrong gets in, few are looked at, and the right person is kept out for 15 minutes at most', async () => {
  await using server = await startIdentityServer();
  await server.service.users.createUser(anna);
  await server.service.users.createUser(bora);
  const startedAtMs = server.clock.now();
  let session: string | undefined;
  let lookedAt = 0;
  for (let guess = 0; guess < WRONG_CODES; guess += 1) {
    const address = `198.51.100.${guess % ADDRESSES}`;
    if (guess % 50 === 0) {
      server.clock.advance(16_000);
      session = (await start(server, anna.username, address)).Session ?? session;
    }
    const code = otherCode(server.codeFor(anna.email));
    const reply = await answer(server, { username: anna.username, session, code, address });
    expect(reply.AuthenticationResult).toBeUndefined();
    if (reply.ChallengeName !== undefined || reply.message?.startsWith('Incorrect')) lookedAt += 1;
    session = reply.Session ?? session;
    // In the middle of it somebody else signs in as always.
    if (guess === WRONG_CODES / 2) {
      const own = await start(server, bora.username, '203.0.113.7');
      const done = await answer(server, {
        username: bora.username,
        session: own.Session,
        code: server.codeFor(bora.email),
        address: '203.0.113.7',
      });
      expect(done.AuthenticationResult).toBeDefined();
    }
  }
  const windows = Math.ceil((server.clock.now() - startedAtMs) / WINDOW_MS) + 1;
  expect(lookedAt).toBeGreaterThan(0);
  expect(lookedAt).toBeLessThanOrEqual(windows * 15);

  let mine = await start(server, anna.username, '203.0.113.8');
  if (mine.Session === undefined) {
    expect(mine.__type).toBe('TooManyRequestsException');
    const waitMs = Number(/(\d+) s/.exec(mine.message ?? '')?.[1]) * 1_000;
    expect(waitMs).toBeLessThanOrEqual(WINDOW_MS);
    server.clock.advance(waitMs);
    mine = await start(server, anna.username, '203.0.113.8');
  }
  const done = await answer(server, {
    username: anna.username,
    session: mine.Session,
    code: server.codeFor(anna.email),
    address: '203.0.113.8',
  });
  expect(done.AuthenticationResult).toBeDefined();
  expect(server.failures).toEqual([]);
}, 110_000);
