import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** A page of the administrator whose live channel is rejected. */
export async function openWithoutLiveChannel(stage: Stage, path: string): Promise<Page> {
  const page = await stage.open('admin', '/', { ownSession: true });
  stage.expectTrouble(page, /WebSocket/);
  // Connections of a shared worker cannot be routed. Without it, the tab opens a connection itself.
  await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  await page.context().routeWebSocket('**/mqtt**', (socket) => void socket.close());
  await page.goto(path);
  return page;
}
