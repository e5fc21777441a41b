import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bothClients, type Client } from './support/both-clients.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const email = 'ada@example.com';
const PASSWORD = 'Correct horse 1';

let idp: OpenProvider;
let client: Client;
beforeEach(async () => {
  idp = await openProvider();
  await idp.makeUser({ email, emailVerified: true, password: PASSWORD });
  client = bothClients[0]?.[1](idp) as Client;
});
afterEach(() => idp[Symbol.asyncDispose]());

const codeOf = (call: Promise<unknown>): Promise<number | undefined> =>
  call.then(
    () => undefined,
    (error: { code: number }) => error.code,
  );

describe('limits against guessing', () => {
  it('[idp-limits-1] after ten incorrect passwords, the correct one is rejected until the time has passed', async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(await codeOf(client.loginByEmail(email, `wrong ${round}`))).toBe(2333);
    }
    expect(await codeOf(client.loginByEmail(email, PASSWORD))).toBe(429);
    expect(idp.events.at(-1)).toMatchObject({ kind: 'limited' });
    idp.clock.advance(15 * 60_000 + 1);
    expect(await codeOf(client.loginByEmail(email, PASSWORD))).toBeUndefined();
  });

  it('correct passwords do not count, even concurrently', async () => {
    const tries = Array.from({ length: 15 }, () => client.loginByEmail(email, PASSWORD));
    const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeLessThanOrEqual(5);
    expect(await codeOf(client.loginByEmail(email, PASSWORD))).toBeUndefined();
  });

  it('three incorrect codes invalidate a code, even concurrently', async () => {
    await client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const right = idp.codeFor(email);
    const wrong = right === '000000' ? '111111' : '000000';
    const tries = Array.from({ length: 3 }, () => codeOf(client.loginByEmailCode(email, wrong)));
    expect(await Promise.all(tries)).toEqual([2001, 2001, 2001]);
    expect(await codeOf(client.loginByEmailCode(email, right))).toBe(2003);
  });

  it('[idp-limits-4] a code is valid for three minutes, for its purpose, and for its address', async () => {
    await idp.makeUser({ email: 'bob@example.com' });
    await client.sendEmail(email, 'RESET_PASSWORD' as never);
    expect(await codeOf(client.loginByEmailCode(email, idp.codeFor(email)))).toBe(2001);
    await client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const code = idp.codeFor(email);
    expect(await codeOf(client.loginByEmailCode('bob@example.com', code))).toBe(2001);
    idp.clock.advance(180_001);
    expect(await codeOf(client.loginByEmailCode(email, code))).toBe(2002);
  });

  it('codes can be sent again after 30 seconds, and five times in 15 minutes', async () => {
    const send = () => codeOf(client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never));
    expect(await send()).toBeUndefined();
    expect(await send()).toBe(429);
    for (let round = 0; round < 4; round += 1) {
      idp.clock.advance(30_001);
      expect(await send()).toBeUndefined();
    }
    idp.clock.advance(30_001);
    expect(await send()).toBe(429);
    expect(idp.messages).toHaveLength(5);
  });

  it('[idp-limits-6] no secret is stored unencrypted in the database', async () => {
    await client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const code = idp.codeFor(email);
    const user = await client.loginByEmail(email, PASSWORD);
    const ticket = await idp.context.tickets.issue({ purpose: 'x', lifeMs: 60_000 });
    const { rows } = await idp.pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'identity' and table_name like 'provider%'",
    );
    for (const { name } of rows) {
      const content = JSON.stringify(
        (await idp.pool.query(`select t::text from identity.${name} t`)).rows,
      );
      for (const secret of [
        PASSWORD,
        code,
        ticket,
        user.token ?? '?',
        'a secret of the application',
        'PRIVATE KEY',
      ]) {
        expect(content.includes(secret), `${name} has ${secret}`).toBe(false);
      }
    }
  });
});
