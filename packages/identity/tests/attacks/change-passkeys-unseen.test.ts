import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serverOrigin } from '../../src/administration/administration-act.ts';
import type { PasskeyCaller, Passkeys } from '../../src/passkeys/passkeys.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { createSoftwareAuthenticator } from '../support/software-authenticator.ts';

const ORIGIN = 'https://portal.example';

let isMailDown = false;
let server: IdentityServer;
let passkeys: Passkeys;
let ada: PasskeyCaller;
let email: string;
let people = 0;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: { issuer: `${ORIGIN}/identity/us-east-1_DevicePortal` },
    messenger: {
      send: async (message) => {
        if (isMailDown) throw new Error('the mail server is down');
        server.messages.push(message);
      },
    },
  });
  ({ passkeys } = server.service);
});
afterAll(() => server[Symbol.asyncDispose]());

beforeEach(async () => {
  people += 1;
  const username = `ada-${people}`;
  email = `${username}@corp.example`;
  const { sub } = await server.service.users.createUser({ username, name: 'Ada', email });
  const account = { contact: undefined, locale: undefined, timeZone: undefined };
  const owner = { id: sub, username, ...account };
  ada = { owner, address: '192.0.2.1', userAgent: 'a browser' };
});
afterEach(() => {
  isMailDown = false;
  server.messages.length = 0;
  server.failures.length = 0;
});

async function add(caller = ada) {
  const options = await passkeys.beginRegistration(caller, { name: 'a', displayName: 'A' });
  const credential = createSoftwareAuthenticator(ORIGIN).create(options);
  return passkeys.finishRegistration(caller, credential);
}

const notices = () =>
  server.messages.flatMap((message) =>
    message.kind === 'account-changed' ? [[message.to, message.change]] : [],
  );

describe('a changed passkey', () => {
  test('is never unknown to its owner, whose address is in the directory', async () => {
    const { passkey, recoveryCodes } = await add();
    await passkeys.rename(ada, passkey.id, 'Work laptop');
    await passkeys.setSignsIn(ada, true);
    await passkeys.setSignsIn(ada, true);
    await passkeys.setSignsIn(ada, false);
    await passkeys.useRecoveryCode(ada, recoveryCodes?.[0] ?? '');
    await passkeys.createRecoveryCodes(ada);
    await passkeys.remove(ada, passkey.id);
    expect(notices()).toEqual([
      [email, 'passkey-added'],
      [email, 'passkey-sign-in-on'],
      [email, 'passkey-sign-in-off'],
      [email, 'passkey-recovery-code-used'],
      [email, 'recovery-codes-replaced'],
      [email, 'passkey-removed'],
    ]);
    expect(server.messages[0]).toMatchObject({
      ...{ username: ada.owner.username, person: ada.owner.id, portalUrl: `${ORIGIN}/` },
      askedFrom: { address: '192.0.2.1', userAgent: 'a browser' },
    });
  });

  test('is never unknown to its owner when an administrator removed it', async () => {
    await add();
    expect(await passkeys.removeAll(ada.owner, serverOrigin)).toBe(true);
    expect(await passkeys.removeAll(ada.owner, serverOrigin)).toBe(false);
    expect(await passkeys.has(ada.owner.id)).toBe(false);
    expect(notices()).toEqual([
      [email, 'passkey-added'],
      [email, 'passkeys-removed'],
    ]);
    expect(server.messages[1]?.askedFrom).toBeUndefined();
    expect(server.acts.filter(({ user }) => user?.sub === ada.owner.id)).toMatchObject([
      { kind: 'userCreated' },
      { kind: 'userChanged', detail: { changed: 'passkeys' } },
    ]);
  });

  test('is told in the language of the account', async () => {
    await server.service.users.updateUser(ada.owner.id, {
      standardAttributes: { locale: 'zh-CN' },
    });
    await add();
    expect(server.messages).toMatchObject([{ locale: 'zh-CN' }]);
  });

  test('is changed although no notice can be sent, which the operator learns', async () => {
    isMailDown = true;
    const { passkey } = await add();
    await passkeys.remove(ada, passkey.id);
    expect(await passkeys.has(ada.owner.id)).toBe(false);
    expect(server.failures).toMatchObject([
      { message: 'the mail server is down' },
      { message: 'the mail server is down' },
    ]);
  });

  test('is not told to an address that is not verified, nor to the one that a caller names', async () => {
    await server.pool.query(
      'update identity.account set email_verified = false where account_id = $1',
      [ada.owner.id],
    );
    const contact = { channel: 'email', to: 'eve@evil.example' } as const;
    await add({ ...ada, owner: { ...ada.owner, contact } });
    expect(server.messages).toEqual([]);
  });

  test('of an account at another provider is told to the address that the portal knows', async () => {
    const contact = { channel: 'sms', to: '+48123456789' } as const;
    const owner = { ...ada.owner, id: `outside-${people}`, contact };
    await add({ ...ada, owner });
    expect(notices()).toEqual([['+48123456789', 'passkey-added']]);
  });
});

describe('an attacker', () => {
  test('cannot flood a mailbox by many changes', async () => {
    await add();
    for (let round = 0; round < 15; round += 1) {
      await passkeys.setSignsIn(ada, true);
      await passkeys.setSignsIn(ada, false);
    }
    expect(notices()).toHaveLength(20);
  });

  test('cannot use up the notices by attempts that fail', async () => {
    const { passkey } = await add();
    for (let round = 0; round < 30; round += 1) {
      await expect(passkeys.remove(ada, 'unknown')).rejects.toMatchObject({
        refusal: 'unknownPasskey',
      });
    }
    await passkeys.remove(ada, passkey.id);
    expect(notices().at(-1)).toEqual([email, 'passkey-removed']);
  });
});
