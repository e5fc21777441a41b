import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundledChromium from '@sparticuz/chromium';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { scriptPerFrame, type TraceEvent } from './support/script-per-frame.ts';
import { percentile, startPortalProcess } from './support/portal-process.ts';

const LIMIT_MS = 8;
/** From the world to a city, where cells are dense. */
const places = ['20,10,1.2', '50,12,3.5', '50,12,5.5', '52.2,21,7.5'];
const PANS = 4;
const STEPS = 30;
const STEP_MS = 16;
/** Time until the first cells are drawn. */
const SETTLE_MS = 5_000;

/** Script time per frame of the main thread while the map is dragged, in a real browser. */
export async function measureFrames(dataDir: string): Promise<void> {
  const ports = {
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
  };
  const args = ['--fleet', '0', '--no-agent'];
  await using portal = await startPortalProcess({ dataDir, ...ports, args });
  const browser = await chromium.launch({
    executablePath: await bundledChromium.executablePath(),
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  try {
    const page = await signIn(browser, portal.url);
    for (const place of places) await measurePlace(browser, page, place);
  } finally {
    await browser.close();
  }
}

async function measurePlace(browser: Browser, page: Page, place: string): Promise<void> {
  await page.goto(`/map?map=${place}`);
  const canvas = page.locator('.dp-fleet-map canvas');
  await canvas.waitFor({ timeout: 60_000 });
  await page.locator('main table tbody a').first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(SETTLE_MS);
  const path = join(tmpdir(), `deviceportal-frames-${process.pid}.json`);
  await browser.startTracing(page, {
    path,
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'],
  });
  await pan(page, (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 800, height: 400 });
  await browser.stopTracing();
  const trace = JSON.parse(await readFile(path, 'utf8')) as { traceEvents: TraceEvent[] };
  const { draggedMs, busyMs, wallMs } = scriptPerFrame(trace.traceEvents);
  const p95 = percentile(draggedMs, 0.95);
  console.log(
    `  panning at ${place.padEnd(12)} script per frame p50 ${percentile(draggedMs, 0.5).toFixed(1)}  p95 ${p95.toFixed(1)}  worst ${Math.max(...draggedMs).toFixed(1)} ms ` +
      `of ${draggedMs.length} frames (with what follows a drag p95 ${percentile(busyMs, 0.95).toFixed(1)} ms of ${busyMs.length} frames, by the clock ${percentile(wallMs, 0.95).toFixed(1)} ms), ratio ${(p95 / LIMIT_MS).toFixed(2)} of ${LIMIT_MS} ms`,
  );
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function pan(page: Page, { x, y, width, height }: Box): Promise<void> {
  const middle = { x: x + width / 2, y: y + height / 2 };
  for (let turn = 0; turn < PANS; turn += 1) {
    const way = turn % 2 === 0 ? 1 : -1;
    await page.mouse.move(middle.x - way * 150, middle.y);
    await page.mouse.down();
    for (let step = 0; step < STEPS; step += 1) {
      await page.mouse.move(
        middle.x + way * (-150 + (300 * step) / STEPS),
        middle.y + 40 * Math.sin(step / 6),
      );
      await page.waitForTimeout(STEP_MS);
    }
    await page.mouse.up();
    await page.waitForTimeout(500);
  }
}

async function signIn(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1_600, height: 1_000 },
    locale: 'en',
  });
  const page = await context.newPage();
  const user = 'admin@deviceportal.local';
  await page.goto('/signin');
  await page.locator('input[autocomplete^="username"]').fill(user);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor({ timeout: 60_000 });
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(user)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  await page.locator('#top-bar').waitFor({ timeout: 60_000 });
  return page;
}
