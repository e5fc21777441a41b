import type { Page } from 'playwright-core';
import type { TestBrowser } from './test-browser.ts';

/** A page of the administrator whose live channel is rejected. */
export async function openWithoutLiveChannel(
  testBrowser: TestBrowser,
  path: string,
): Promise<Page> {
  const page = await testBrowser.open('admin', '/', { ownSession: true });
  testBrowser.expectErrors(page, /WebSocket/);
  // Connections of a shared worker cannot be routed. Without it, the tab opens a connection itself.
  await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  await page.context().routeWebSocket('**/mqtt**', (socket) => void socket.close());
  await page.goto(path);
  return page;
}
