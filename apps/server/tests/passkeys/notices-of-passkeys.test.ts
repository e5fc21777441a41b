import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountChangedNotice } from '@deviceportal/identity/messenger';
import type { AddedPasskey } from '@deviceportal/contract/passkeys';
import { createSoftwareAuthenticator } from '../../../../packages/identity/tests/support/software-authenticator.ts';
import { createAccountNotices } from '../../src/messages/account-notices.ts';
import { createNoticeQueue } from '../../src/messages/notice-queue.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { openMessageFixture } from '../support/message-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

type Creation = Parameters<ReturnType<typeof createSoftwareAuthenticator>['create']>[0];

interface Letter {
  readonly subject: string;
  readonly text: string;
}

describe('the owner of changed passkeys', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function addPasskey(user: AccessFixture): Promise<AddedPasskey> {
    const options = await user.done<Creation>('passkeys.begin');
    const credential = createSoftwareAuthenticator(server.url).create(options);
    return user.done('passkeys.add', { credential });
  }

  /** The newest first. */
  async function lettersTo(name: string): Promise<Letter[]> {
    const to = encodeURIComponent(`${name}@deviceportal.local`);
    return (await fetch(`${server.url}/outbox/messages?to=${to}`)).json() as Promise<Letter[]>;
  }

  test('is notified by email of each change, with its source', async () => {
    const operator = await AccessFixture.open(server, 'operator');
    const { passkey } = await addPasskey(operator);
    await operator.done('passkeys.setSignIn', { signsIn: true });
    await operator.done('passkeys.createRecoveryCodes');
    await operator.done('passkeys.remove', { id: passkey.id });
    const letters = (await lettersTo('operator')).slice(0, 4).toReversed();
    expect(new Set(letters.map(({ subject }) => subject))).toEqual(
      new Set(['Your Device Portal sign-in settings were changed']),
    );
    expect(letters.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^A passkey was added for operator@/),
      expect.stringMatching(
        /^Sign-in with a passkey instead of a code was turned on for operator@/,
      ),
      expect.stringMatching(/^New recovery codes were created for operator@/),
      expect.stringMatching(/^A passkey of operator@/),
    ]);
    expect(letters[0]?.text).toContain('Requested from 127.0.0.1');
  });

  test('reads it in the language chosen in the portal', async () => {
    const viewer = await AccessFixture.open(server, 'viewer');
    await viewer.done('session.savePreferences', { language: 'zh-CN' });
    await addPasskey(viewer);
    expect((await lettersTo('viewer'))[0]?.text).toMatch(/^viewer@\S+ 已于 .* 添加通行密钥。/);
  });
});

test('a notice is lost only with its change: it is sent after the commit, also after a restart', async () => {
  await using db = await createTestDatabase();
  await using mail = await startMailServer();
  const open = () =>
    openMessageFixture({ database: db.database, mailPort: mail.port, attemptMs: 10_000 });
  const { pool } = db.database;
  const notice: AccountChangedNotice = {
    kind: 'account-changed',
    change: 'passkey-added',
    channel: 'email',
    ...{ to: 'ada@example.com', person: 'sub-of-ada', username: 'ada', at: new Date() },
    portalUrl: 'https://portal.example/',
  };
  {
    await using stopped = await open();
    const queue = createAccountNotices(createNoticeQueue(stopped.delivery));
    for (const end of ['rollback', 'commit']) {
      const client = await pool.connect();
      await client.query('begin');
      await queue(client, notice);
      await client.query(end);
      client.release();
    }
  }
  await using _restarted = await open();
  await expect.poll(() => mail.mails.length, { timeout: 10_000 }).toBe(1);
  expect(mail.mails[0]?.mail).toContain('A passkey was added for ada');
});
