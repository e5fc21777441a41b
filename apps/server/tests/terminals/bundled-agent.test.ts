import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '@deviceportal/agent/build-bundle';
import { expect, test } from 'vitest';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { accountWithShell } from './account-with-shell.ts';
import { isRunning } from './is-running.ts';
import { openTerminalFixture } from './terminal-fixture.ts';

const account = accountWithShell() ?? null;
const isPossible =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  (account !== null || process.getuid?.() !== 0);

test.skipIf(!isPossible)(
  'the bundled agent loads only the native file that it was built with, and its shells end with it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dp-bundle-'));
    try {
      const program = await buildBundle(join(folder, 'agent.mjs'));
      const genuine = await readFile(join(folder, 'pty-linux-x64.node'));
      const changed = Buffer.from(genuine);
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      let offered = changed;
      await using fixture = await openTerminalFixture({
        ...{ program, terminal: { isOn: true, account } },
        nativeFile: () => offered,
      });
      const refused = await fixture.open();
      await until(async () => (await fixture.row(refused)).end_reason === 'refused');
      const rows = await rowsOf<{ obstacle: string }>(
        fixture.setup.database,
        'select obstacle from terminal_session where id = $1',
        [refused],
      );
      expect(rows).toEqual([{ obstacle: 'no-pty' }]);

      offered = genuine;
      const sessionId = await fixture.open();
      const browser = fixture.attach(sessionId);
      await until(() => browser.isOpen);
      browser.type('echo sum-$((40+2))\r');
      await until(() => browser.text.includes('sum-42'));

      browser.type('echo pid=$$=\r');
      const [, pid] = await until(() => /pid=(\d+)=/.exec(browser.text));
      fixture.agent.kill?.();
      await until(() => !isRunning(Number(pid)));
      await until(() => browser.ending, 20_000);
      expect(browser.ending?.reason).toBe('device-lost');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
