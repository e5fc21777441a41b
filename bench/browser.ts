/**
 * Waiting times in the browser: bytes of the first loads, first paint, first usable row, layout
 * shifts, and the longest input delay. `npm run bench:browser`
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundledChromium from '@sparticuz/chromium';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { startPortalProcess } from './support/portal-process.ts';

/** Time after which layout shifts and slow handlers have occurred. */
const SETTLE_MS = 2_000;
const RUNS = 5;
const SLOW_CPU = 4;
const FIRST_ROW = 'main table tbody tr a[href^="/devices/"]';
const FIRST_FIELD = 'input[autocomplete^="username"]';

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
try {
  const ports = {
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
  };
  await using portal = await startPortalProcess({ dataDir, ...ports, args: ['--fleet', '200'] });
  const browser = await chromium.launch({
    executablePath: await bundledChromium.executablePath(),
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  try {
    await measureAll(browser, portal.url);
  } finally {
    await browser.close();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function measureAll(browser: Browser, url: string): Promise<void> {
  const anonymous = await browser.newContext({ baseURL: url });
  const state = await signIn(anonymous, url);
  await anonymous.close();
  const visit = (options: Omit<VisitOptions, 'browser' | 'url'>): Promise<Visit> =>
    median(() => visitOnce({ browser, url, ...options }));

  const signInPage = await visit({ path: '/signin', until: FIRST_FIELD });
  print('sign-in, JavaScript', signInPage.jsBytes / 1_000, 'kB', 92);
  print('sign-in, CSS', signInPage.cssBytes / 1_000, 'kB', 4);
  print('sign-in, first paint', signInPage.firstPaintMs, 'ms');
  const slowSignIn = await visit({ path: '/signin', until: FIRST_FIELD, slow: true });
  print(`sign-in, first paint, CPU ${SLOW_CPU}x slower`, slowSignIn.firstPaintMs, 'ms', 1_500);

  const devices = { path: '/devices', until: FIRST_ROW, state };
  const fast = await visit(devices);
  print('devices, JavaScript', fast.jsBytes / 1_000, 'kB', 300);
  print('devices, CSS', fast.cssBytes / 1_000, 'kB', 77);
  print('devices, files of the map', fast.mapFiles, '', 0);
  print('devices, first row', fast.usableMs, 'ms');
  print('devices, shift of the layout', fast.layoutShift, '', 0.1);
  print('devices, select a row, worst event', fast.worstEventMs, 'ms', 200);
  const slow = await visit({ ...devices, slow: true });
  print(`devices, first row, CPU ${SLOW_CPU}x slower`, slow.usableMs, 'ms', 3_500);
  print(`devices, select a row, CPU ${SLOW_CPU}x slower`, slow.worstEventMs, 'ms');
}

type SessionState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface VisitOptions {
  readonly browser: Browser;
  readonly url: string;
  readonly path: string;
  /** Element that must be visible before the user can continue. */
  readonly until: string;
  readonly state?: SessionState;
  readonly slow?: boolean;
}

interface Visit {
  readonly jsBytes: number;
  readonly cssBytes: number;
  readonly mapFiles: number;
  readonly firstPaintMs: number;
  readonly usableMs: number;
  readonly layoutShift: number;
  readonly worstEventMs: number;
}

/** One visit with an empty cache, in a new browser context. */
async function visitOnce(options: VisitOptions): Promise<Visit> {
  const { browser, url, path, until, state, slow = false } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    ...(state === undefined ? {} : { storageState: state }),
  });
  const page = await context.newPage();
  const sizes = await watchSizes(page, slow);
  await page.addInitScript(observePage, until);
  await page.goto(path);
  await page.waitForFunction(() => 'usableAtMs' in globalThis);
  const usableMs = await page.evaluate(() => (globalThis as unknown as Observed).usableAtMs);
  const first = { js: sizes.js, css: sizes.css, map: sizes.map };
  const box = page.locator('main table tbody input[type="checkbox"]').first();
  if (state !== undefined) await box.click({ force: true });
  // A running fleet never becomes idle.
  await page.waitForTimeout(SETTLE_MS);
  const seen = await page.evaluate(() => {
    const { shift, worstEventMs } = globalThis as unknown as Observed;
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return { shift, worstEventMs, firstPaintMs: paint?.startTime ?? Number.NaN };
  });
  await context.close();
  return {
    jsBytes: first.js,
    cssBytes: first.css,
    mapFiles: first.map,
    firstPaintMs: seen.firstPaintMs,
    usableMs,
    layoutShift: seen.shift,
    worstEventMs: seen.worstEventMs,
  };
}

interface Observed {
  usableAtMs: number;
  shift: number;
  worstEventMs: number;
}

/** Runs in the page, before its own code. */
function observePage(selector: string): void {
  const seen = globalThis as unknown as Observed;
  seen.shift = 0;
  seen.worstEventMs = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!shift.hadRecentInput) seen.shift += shift.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      seen.worstEventMs = Math.max(seen.worstEventMs, entry.duration);
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  const look = (): void => {
    if (document.querySelector(selector) === null) requestAnimationFrame(look);
    else seen.usableAtMs = performance.now();
  };
  requestAnimationFrame(look);
}

/** Bytes of response bodies on the wire, as compressed by the server. */
async function watchSizes(page: Page, slow: boolean) {
  const sizes = { js: 0, css: 0, map: 0 };
  const kinds = new Map<string, 'js' | 'css'>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  if (slow) await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const path = new URL(response.url).pathname;
    if (/\/map-|maplibre/.test(path)) sizes.map += 1;
    if (path.endsWith('.js')) kinds.set(requestId, 'js');
    else if (path.endsWith('.css')) kinds.set(requestId, 'css');
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind !== undefined) sizes[kind] += encodedDataLength;
  });
  return sizes;
}

async function signIn(context: BrowserContext, url: string): Promise<SessionState> {
  const page = await context.newPage();
  const user = 'admin@deviceportal.local';
  await page.goto('/signin');
  await page.locator(FIRST_FIELD).fill(user);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(user)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  await page.locator('#top-bar').waitFor();
  return context.storageState();
}

/** The median of each value over all visits. */
async function median(visit: () => Promise<Visit>): Promise<Visit> {
  const visits: Visit[] = [];
  for (let run = 0; run < RUNS; run += 1) visits.push(await visit());
  const middle = (name: keyof Visit): number =>
    visits.map((each) => each[name]).toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ??
    Number.NaN;
  return {
    jsBytes: middle('jsBytes'),
    cssBytes: middle('cssBytes'),
    mapFiles: middle('mapFiles'),
    firstPaintMs: middle('firstPaintMs'),
    usableMs: middle('usableMs'),
    layoutShift: middle('layoutShift'),
    worstEventMs: middle('worstEventMs'),
  };
}

function print(what: string, value: number, unit: string, limit?: number): void {
  const shown = value < 1 ? value.toFixed(3) : value.toFixed(0);
  const against =
    limit === undefined
      ? ''
      : ` of ${limit}${limit === 0 ? '' : `, ratio ${(value / limit).toFixed(2)}`}${value > limit ? '  OVER THE LIMIT' : ''}`;
  process.stdout.write(`${what}: ${shown} ${unit}${against}\n`);
}
