import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** A page of the administrator whose live channel is refused. */
export async function openWithoutLiveChannel(stage: Stage, path: string): Promise<Page> {
  const page = await stage.open('admin', '/', { ownSession: true });
  stage.expectTrouble(page, /WebSocket/);
  // A shared worker's connections are not routed; without one the tab opens its own.
  await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  await page.context().routeWebSocket('**/mqtt**', (socket) => void socket.close());
  await page.goto(path);
  return page;
}
