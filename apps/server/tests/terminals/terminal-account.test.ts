import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { terminalAccount } from '@deviceportal/agent/terminal-account';
import { until } from '../support/gateway-fixture.ts';
import { accountWithShell } from './account-with-shell.ts';
import { isRunning } from './is-running.ts';
import { openTerminalFixture } from './terminal-fixture.ts';

const account = accountWithShell();

test.skipIf(account === undefined)(
  'an agent of root opens a shell of the account, without rights and environment of root',
  async () => {
    const name = account ?? '';
    process.env.DEVICEPORTAL_TEST_SECRET = 'of-the-agent';
    await using fixture = await openTerminalFixture({
      terminal: { isOn: true, account: name },
      findAccount: terminalAccount,
    });
    const sessionId = await fixture.open();
    const browser = fixture.attach(sessionId);
    await until(() => browser.isOpen);
    browser.type('echo "[$(id -un)|$(id -Gn)|$DEVICEPORTAL_TEST_SECRET|$$]"\r');
    const [, user, groups, secret, pid] = await until(() =>
      /\[([a-z_]+)\|([^|$]*)\|([^|]*)\|(\d+)\]\r/.exec(browser.text),
    );
    expect({ user, groups, secret }).toEqual({
      user: name,
      groups: execFileSync('id', ['-Gn', name], { encoding: 'utf8' }).trim(),
      secret: '',
    });
    await fixture.agent.stop();
    await until(() => !isRunning(Number(pid)));
    delete process.env.DEVICEPORTAL_TEST_SECRET;
  },
  30_000,
);

test('an agent of root without an account for terminals offers none', async () => {
  await using fixture = await openTerminalFixture({
    findAccount: () =>
      terminalAccount(null, { isRoot: true, name: 'root', shell: null, home: '/' }),
  });
  await expect(fixture.open()).rejects.toMatchObject({
    reason: 'terminal-not-offered',
    facts: { offer: 'no-account' },
  });
});
