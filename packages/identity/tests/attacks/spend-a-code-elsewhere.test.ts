import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  closeCode,
  findOpenCode,
  insertCode,
  takeTryOfCode,
  takeTryOfSubject,
  type StoredCode,
} from '../../src/codes/code-store.ts';
import { codePurposes } from '../../src/messenger.ts';
import { refusals } from '../../src/provider/wire/refusals.ts';
import type { Caller } from '../../src/provider/wire/caller.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { answer, start } from '../support/direct-client.ts';
import { anna } from '../support/wire-clients.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

let server: IdentityServer;
let idp: OpenProvider;
let caller: Caller;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  await server.service.users.createUser(anna);
  idp = await openProvider({ limits: 'off' }, { pool: server.pool, sealingKey: server.sealingKey });
  await idp.makeUser({ email: anna.email });
  const application = await idp.context.applications.find(idp.appId);
  if (application === undefined) throw new Error('no application');
  caller = {
    ...{ application, token: undefined, requestId: 'request-1' },
    ...{ address: '127.0.0.1', userAgent: undefined, language: 'en-US' },
  };
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('a code of the provider does not sign in at the user pool, nor the other way around', async () => {
  const { codes } = idp.context;
  await codes.send({ channel: 'email', to: anna.email, purpose: 'login' }, caller);
  const started = await start(server, 'anna');
  const [ofPool, ofProvider] = [server.codeFor(anna.email), idp.codeFor(anna.email)];
  expect(ofPool).not.toBe(ofProvider);
  const wrong = await answer(server, {
    ...{ username: 'anna', session: started.Session, code: ofProvider },
  });
  expect(wrong.AuthenticationResult).toBeUndefined();
  const asked = { to: anna.email, purposes: ['login'] as const };
  await expect(codes.check({ ...asked, code: ofPool }, caller)).rejects.toMatchObject({
    refusal: refusals.wrongCode,
  });
  const right = await answer(server, {
    ...{ username: 'anna', session: wrong.Session, code: ofPool },
  });
  expect(right.AuthenticationResult).toBeDefined();
  await expect(codes.check({ ...asked, code: ofProvider }, caller)).resolves.toBeDefined();
});

it('a code for one purpose is invalid for another', async () => {
  const { codes } = idp.context;
  for (const purpose of codePurposes) {
    const to = `${purpose}@example.com`;
    await codes.send({ channel: 'email', to, purpose }, caller);
    const code = idp.codeFor(to);
    const others = codePurposes.filter((other) => other !== purpose);
    await expect(codes.check({ to, purposes: others, code }, caller)).rejects.toMatchObject({
      refusal: refusals.wrongCode,
    });
    await expect(codes.check({ to, purposes: [purpose], code }, caller)).resolves.toBeDefined();
  }
});

it('a code can be found, tried, and invalidated only in its own directory', async () => {
  const now = new Date();
  const code: StoredCode = {
    ...{ codeId: 'a code', directory: 'user-pool', subject: 'anna', purpose: 'login', sub: null },
    ...{ codeHash: Buffer.from('hash'), channel: 'email', triesLeft: 3, sentAt: now },
    expiresAt: new Date(now.getTime() + 180_000),
  };
  await insertCode(server.pool, code);
  for (const directory of ['provider/pool-1', 'provider/user-pool'] as const) {
    const name = { directory, codeId: code.codeId };
    expect(await findOpenCode(server.pool, name, now)).toBeUndefined();
    expect(await takeTryOfCode(server.pool, name, now)).toBeUndefined();
    const where = { directory, subject: code.subject, purposes: [code.purpose] };
    expect(await takeTryOfSubject(server.pool, where)).toEqual([]);
    expect(await closeCode(server.pool, name, now)).toBe(false);
    // A code of another directory does not make it void, neither by its subject nor by its name.
    await insertCode(server.pool, { ...code, ...name, codeId: `${directory} code` }, code.codeId);
  }
  expect(await findOpenCode(server.pool, code, now)).toMatchObject({ triesLeft: 3 });
});
