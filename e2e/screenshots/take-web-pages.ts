import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { confirmIdentity } from './confirm-identity.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';
import { openUserScreens } from './open-user-screens.ts';
import { startAgent } from './start-agent.ts';

const USER = 'operator@deviceportal.local';
const SERIAL_NUMBER = 'KIOSK-0777';
const OPEN = /^(?:Open web page|打开网页)$/;
const SHOW = /^(?:Open in a new tab|在新标签页中打开)$/;
const END = /^(?:End session|结束会话)$/;

/** The dialog that opens a web page of a real agent, and the page in its tab. */
export async function takeWebPages(taken: Screens): Promise<void> {
  const { url, admin, screens } = await openUserScreens(taken, USER, {
    name: 'Web pages',
    permissions: ['web-pages:open'],
  });
  await using resources = new AsyncDisposableStack();
  const port = await openKiosk(resources);
  const agent = resources.use(
    await startAgent(admin, url, {
      ...{ serialNumber: SERIAL_NUMBER },
      env: { DEVICEPORTAL_AGENT_WEB_PAGES: `${port}=Kiosk status` },
    }),
  );
  const isEnglish = (page: Page): boolean => page === screens.english;
  await keepScreenshots(screens, 'web-page-dialog', async (page) => {
    await page.goto(`/devices/${agent.deviceId}`);
    await page.getByRole('button', { name: OPEN }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio').first().waitFor();
    await dialog
      .getByRole('textbox')
      .fill(isEnglish(page) ? 'The card reader is slow' : '读卡器响应缓慢');
  });
  const tabs = {
    english: await openTab(screens.english, url),
    chinese: await openTab(screens.chinese, url),
  };
  await keepScreenshots(tabs, 'web-page', async (tab) => {
    await tab.bringToFront();
    await tab.locator('h1').waitFor();
  });
}

/** From the dialog, which is open, to the page of the device. */
async function openTab(page: Page, url: string): Promise<Page> {
  await page.getByRole('dialog').getByRole('button', { name: OPEN }).click();
  const shown = page.getByRole('button', { name: SHOW }).first();
  const ended = page.getByRole('button', { name: END }).first();
  await confirmIdentity(page, { url, user: USER, opened: ended });
  await shown.waitFor();
  const opened = page.context().waitForEvent('page');
  await shown.click();
  const tab = await opened;
  await tab.setViewportSize({ width: 960, height: 560 });
  return tab;
}

const texts = {
  en: [
    'Kiosk status',
    'Card reader',
    'answers after 2.3 s',
    'Display',
    'Printer',
    'ready',
    'Restart card reader',
  ],
  zh: ['自助终端状态', '读卡器', '2.3 秒后响应', '显示屏', '打印机', '就绪', '重启读卡器'],
} as const;

/** The web server of the device. */
async function openKiosk(resources: AsyncDisposableStack): Promise<number> {
  const server = createServer((request, response) => {
    const isChinese = request.headers['accept-language']?.startsWith('zh') === true;
    const [title, reader, slow, display, printer, ready, restart] = texts[isChinese ? 'zh' : 'en'];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>${title}</title>
      <style>body { font: 18px sans-serif; margin: 40px; color: #16324f } td { padding: 10px 40px 10px 0; border-bottom: 1px solid #ccd } button { font: inherit; margin-top: 24px; padding: 8px 20px }</style>
      <h1>${title}</h1><table><tr><td>${reader}<td>${slow}<tr><td>${display}<td>${ready}<tr><td>${printer}<td>${ready}</table><button>${restart}</button>`);
  });
  resources.defer(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
