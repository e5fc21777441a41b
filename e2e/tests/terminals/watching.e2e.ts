import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import {
  createTerminalRole,
  openTerminalOn,
  showsInTerminal,
  startTerminalDevice,
  terminalAccount,
  terminalScreen,
  type TerminalDevice,
} from '../../support/terminal-device.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const TEST_LIMIT_MS = 240_000;
const testBrowser = openTestBrowser();
const resources = new AsyncDisposableStack();
let device: TerminalDevice;
let userRole: string;
let watcherRole: string;

beforeAll(async () => {
  device = await startTerminalDevice(resources);
  userRole = await createTerminalRole(device.admin, ['terminal:open']);
  watcherRole = await createTerminalRole(device.admin, ['terminal:watch', 'terminal:end']);
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

describe.skipIf(terminalAccount === undefined)('a terminal that is watched', () => {
  test.each([
    { theme: 'light', density: 'comfortable', language: 'en' },
    { theme: 'dark', density: 'compact', language: 'zh-CN' },
  ] as const)(
    'shows the same to both, names who watches, and is ended by the watcher ($language)',
    async (look) => {
      const isEnglish = look.language === 'en';
      const words = isEnglish
        ? {
            watch: 'Watch',
            watching: 'Watching the whole session',
            end: 'End terminal',
            ended: 'Another user ended the terminal.',
            watchedEnd: 'An administrator ended the terminal.',
            banner: /^Watched by colleague-\S+\.$/,
          }
        : {
            watch: '旁观',
            watching: '正在旁观整个会话',
            end: '结束终端',
            ended: '其他用户结束了终端。',
            watchedEnd: '管理员已结束终端。',
            banner: /^colleague-\S+ 正在旁观此终端。$/,
          };
      const user = await signInNewUser(testBrowser, device.admin, { role: userRole, look });
      await openTerminalOn(user, device.deviceId, look.language);
      await user.keyboard.type('echo be"fore"\n');
      await showsInTerminal(user, 'before');

      const watcher = await signInNewUser(testBrowser, device.admin, { role: watcherRole, look });
      await watcher.goto(`/devices/${device.deviceId}?tab=terminals`);
      await watcher.getByRole('button', { name: words.watch, exact: true }).first().click();
      await watcher.getByText(words.watching).waitFor({ timeout: DEVICE_TIMEOUT_MS });
      const watched = watcher.locator('.dp-recording .xterm-rows');
      await watched.getByText('before', { exact: true }).first().waitFor();
      await user.getByText(words.banner).waitFor();
      expect(await findViolations(watcher)).toEqual([]);
      expect(await findViolations(user)).toEqual([]);

      await watcher.locator('.dp-recording').click();
      await watcher.keyboard.type('echo at"tack"\n');
      await user.locator('.dp-terminal').click();
      await user.keyboard.type('echo af"ter"\n');
      await watched.getByText('after', { exact: true }).first().waitFor();
      expect(await terminalScreen(user).innerText()).not.toContain('tack');

      await watcher.getByRole('button', { name: words.end }).first().click();
      await user.getByText(words.ended).first().waitFor();
      await watcher.getByText(words.watchedEnd).waitFor();
    },
    TEST_LIMIT_MS,
  );
});
