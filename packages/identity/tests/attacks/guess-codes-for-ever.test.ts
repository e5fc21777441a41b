import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccountGuesses } from '../../src/accounts/account-guesses.ts';
import { answer, callPool, start } from '../support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { anna, otherCode } from '../support/wire-clients.ts';

let server: IdentityServer;
let sub: string;
beforeEach(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  ({ sub } = await server.service.users.createUser(anna));
});
afterEach(() => server[Symbol.asyncDispose]());

/** One sign-in of Anna with one answer. */
async function guess(isRight: boolean, address = '192.0.2.1') {
  const { Session: session } = await start(server, anna.username, address);
  const sent = server.codeFor(anna.email);
  const code = isRight ? sent : otherCode(sent);
  return answer(server, { username: anna.username, session, code, address });
}

async function standing(): Promise<number> {
  const sql = 'select coalesce(sum(wrong), 0)::int as wrong from identity.account_guess';
  return (await server.pool.query<{ wrong: number }>(sql)).rows[0]?.wrong ?? -1;
}

/** What does not come from chance or the clock. */
const shapeOf = ({ Session, ChallengeParameters, message, ...reply }: Answer) => ({
  ...reply,
  message,
  session: Session?.length,
  parameters: Object.keys(ChallengeParameters ?? {}).toSorted(),
  attemptsLeft: ChallengeParameters?.['attemptsLeft'],
});
type Answer = Awaited<ReturnType<typeof answer>>;

describe('codes of the user pool', () => {
  test('an attacker cannot guess codes of one account without limit, from any number of addresses', async () => {
    for (let tried = 0; tried < 100; tried += 1) {
      await guess(false, `198.51.${tried}.7`);
    }
    expect((await guess(true, '203.0.113.9')).AuthenticationResult).toBeUndefined();
    expect(await standing()).toBe(100);
  });

  test('an attacker cannot have more than 100 guesses checked by concurrent attempts, from any number of addresses', async () => {
    const addresses = Array.from({ length: 140 }, (_, index) => `198.51.${index}.7`);
    const sessions: [string, string | undefined][] = [];
    for (const address of addresses) {
      sessions.push([address, (await start(server, anna.username, address)).Session]);
    }
    const code = otherCode(server.codeFor(anna.email));
    await Promise.all(
      sessions.map(([address, session]) =>
        answer(server, { username: anna.username, session, code, address }),
      ),
    );
    const { rows } = await server.pool.query('select wrong, refused from identity.account_guess');
    expect(rows).toEqual([{ wrong: 100, refused: 40 }]);
  });

  test('an attacker cannot have more than 100 pending guesses at any time', async () => {
    const account = { id: 'x', username: 'x', contact: undefined };
    const guesses = createAccountGuesses(server.pool, {
      ...{ clock: server.clock, hash: () => Buffer.from('x'), onLocked: () => {} },
    });
    let open = 0;
    const all = Array.from({ length: 300 }, () =>
      guesses.check(
        {
          account: { ...account, locale: undefined, timeZone: undefined },
          name: 'x',
          address: '::1',
        },
        async (isOpen) => {
          if (isOpen) open += 1;
          return undefined;
        },
      ),
    );
    await Promise.all(all);
    expect(open).toBe(100);
  });

  test('an attacker cannot see that an account is locked', async () => {
    const before = shapeOf(await guess(false));
    await server.pool.query('update identity.account_guess set wrong = 100, locked_at = now()');
    expect(shapeOf(await guess(false))).toEqual(before);
    expect(shapeOf(await guess(true))).toEqual(before);
  });

  test('only a complete sign-in resets the count', async () => {
    await guess(false);
    await guess(false);
    expect(await standing()).toBe(2);
    expect((await guess(true)).AuthenticationResult).toBeDefined();
    expect(await standing()).toBe(0);
  });

  test('an attacker cannot avoid the count by requesting a new code for each guess', async () => {
    const { Session: session } = await start(server, anna.username);
    const code = server.codeFor(anna.email);
    const metadata = { resend: 'true' };
    const reply = await answer(server, { username: anna.username, session, code, metadata });
    expect(reply.AuthenticationResult).toBeUndefined();
  });

  test('an attacker who locks an account ends none of its sessions, and its owner is notified once how to recover', async () => {
    const own = (await guess(true)).AuthenticationResult;
    for (let tried = 0; tried < 103; tried += 1) await guess(false);
    const input = { RefreshToken: own?.RefreshToken };
    const renewed = await callPool(server, 'GetTokensFromRefreshToken', input);
    expect(renewed.AuthenticationResult?.AccessToken).toBeDefined();
    const notices = server.messages.filter(({ kind }) => kind === 'account-locked');
    expect(notices).toMatchObject([{ to: anna.email, username: anna.username, channel: 'email' }]);
    expect(server.events.filter(({ kind }) => kind === 'accountLocked')).toMatchObject([{ sub }]);
  });

  test('an unlocked account has 100 new guesses, and the unlocking user is recorded', async () => {
    await guess(false);
    await server.pool.query('update identity.account_guess set wrong = 100, locked_at = now()');
    await server.service.users.unlockUser(sub);
    await server.service.users.unlockUser(sub);
    expect((await guess(true)).AuthenticationResult).toBeDefined();
    expect(server.acts.filter(({ kind }) => kind === 'userUnlocked')).toMatchObject([
      { user: { sub, username: anna.username }, detail: { wrong: 100 } },
    ]);
  });
});
