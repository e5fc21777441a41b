import { beforeAll, describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { openTestBrowser } from '../../support/test-browser.ts';
import { readChunk, readChunks, type Chunk } from '../../support/read-chunks.ts';

const testBrowser = openTestBrowser();
/** What the browser itself logs about a file that was not received. */
const NOT_RECEIVED = /Failed to load (?:resource|module script)|Failed to fetch/;

type Failure = (route: Route, attempt: number) => Promise<void>;

const failures: Readonly<Record<string, Failure>> = {
  'a lost connection': (route) => route.abort('connectionreset'),
  'status 503': (route) => route.fulfill({ status: 503, body: 'no server is available' }),
  'the error page of a proxy': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
};

let page: Chunk;
let shared: Chunk;
beforeAll(() => {
  ({ page, shared } = readChunks('src/versions/versions-page.tsx'));
});

describe('a file of a page that cannot be loaded', () => {
  test.for(Object.keys(failures))('is retried after %s', async (name) => {
    const failure = failures[name];
    if (failure === undefined) throw new Error(name);
    for (const chunk of [page, shared]) {
      const opened = await testBrowser.open('admin', '/devices');
      const attempts = await fail(opened, chunk.file, 2, failure);
      await mark(opened);
      await follow(opened, '/tavs');
      await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
      expect(attempts()).toBeGreaterThan(2);
      expect(await isMarked(opened)).toBe(true);
    }
  });

  test.for(Object.keys(failures))('is retried after %s for the list of its files', async (name) => {
    const failure = failures[name];
    if (failure === undefined) throw new Error(name);
    let attempts = (): number => 0;
    const opened = await testBrowser.open('admin', '/devices', {
      async before(empty) {
        attempts = await fail(empty, '*.files.json', 2, failure);
      },
    });
    await mark(opened);
    await follow(opened, '/tavs');
    await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    expect(attempts()).toBeGreaterThan(2);
    expect(await isMarked(opened)).toBe(true);
  });

  test('is retried after a body that was cut off', async () => {
    const opened = await testBrowser.open('admin', '/devices');
    // A route cannot send a part of a file, so the page’s own fetch is cut.
    await opened.evaluate((file) => {
      const original = globalThis.fetch;
      let cuts = 0;
      globalThis.fetch = async (...request) => {
        const response = await original(...request);
        if (!response.url.endsWith(file) || cuts === 2) return response;
        cuts += 1;
        const reader = response.body?.getReader();
        const half = new ReadableStream({
          async pull(controller) {
            const part = await reader?.read();
            controller.enqueue(part?.value?.slice(0, 100));
            controller.error(new TypeError('network error'));
          },
        });
        return new Response(half, response);
      };
      Reflect.set(globalThis, 'cuts', () => cuts);
    }, page.file);
    await mark(opened);
    await follow(opened, '/tavs');
    await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    expect(await opened.evaluate(() => (Reflect.get(globalThis, 'cuts') as () => number)())).toBe(
      2,
    );
    expect(await isMarked(opened)).toBe(true);
  });

  test('shows after some seconds that it is retried, and other pages can be opened', async () => {
    const opened = await testBrowser.open('admin', '/devices');
    const notice = opened.getByText('Loading is taking longer than usual. Retrying automatically.');
    let isDown = true;
    await fail(opened, page.file, Infinity, (route) => (isDown ? route.abort() : route.continue()));
    await follow(opened, '/tavs');
    await notice.waitFor();
    await follow(opened, '/devices');
    await opened.getByRole('heading', { level: 1, name: /^Devices/ }).waitFor();
    await follow(opened, '/tavs');
    isDown = false;
    await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  test('after it was received and not imported, the page is loaded as a new document', async () => {
    const opened = await testBrowser.open('admin', '/devices');
    let scripts = 0;
    await opened.route(`**/${shared.file}`, (route) => {
      const isScript = route.request().resourceType() === 'script';
      if (isScript) scripts += 1;
      return isScript && scripts === 1 ? route.abort() : route.continue();
    });
    testBrowser.expectErrors(opened, NOT_RECEIVED);
    await mark(opened);
    await follow(opened, '/tavs?tab=matrix');
    await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    expect(await isMarked(opened)).toBe(false);
    expect(new URL(opened.url()).searchParams.get('tab')).toBe('matrix');
  });
});

describe('a new release that replaced the files of an open tab', () => {
  test('is loaded with the page that needs it, at its address', async () => {
    const opened = await testBrowser.open('admin', '/devices');
    await replaceRelease(opened, page);
    await mark(opened);
    await follow(opened, '/tavs?tab=matrix');
    await expect.poll(() => isMarked(opened).catch(() => true)).toBe(false);
    await opened.unrouteAll({ behavior: 'ignoreErrors' });
    await opened.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    expect(new URL(opened.url()).searchParams.get('tab')).toBe('matrix');
  });

  test('does not discard the page when a part of it is missing, and loads with the next page', async () => {
    const opened = await testBrowser.open('admin', '/devices');
    await replaceRelease(opened, readChunk('src/app/shortcuts/shortcut-list.tsx'));
    await mark(opened);
    await opened.keyboard.press('?');
    await opened.getByText('A new version of the portal is available').waitFor();
    expect(await isMarked(opened)).toBe(true);
    await opened.unrouteAll({ behavior: 'ignoreErrors' });
    await opened.getByRole('link', { name: 'People', exact: true }).click();
    await expect.poll(() => isMarked(opened).catch(() => true)).toBe(false);
    await opened.getByRole('heading', { level: 1, name: /^People/ }).waitFor();
  });

  /** The server delivers another entry, and no longer has a file of this one. */
  async function replaceRelease(opened: Page, missing: Chunk): Promise<void> {
    testBrowser.expectErrors(opened, NOT_RECEIVED);
    await opened.route(`**/${missing.file}`, (route) => route.fulfill({ status: 404, body: '{}' }));
    await opened.route(
      (url) => url.pathname === '/',
      (route) => route.fulfill({ contentType: 'text/html', body: '<script src="/other.js">' }),
    );
  }
});

describe('a file of the first screen that cannot be loaded', () => {
  test.for(Object.keys(failures))('is loaded with a new document after %s', async (name) => {
    const failure = failures[name];
    if (failure === undefined) throw new Error(name);
    let attempts = (): number => 0;
    const opened = await testBrowser.open('admin', '/devices', {
      ownSession: true,
      async before(empty) {
        attempts = await fail(
          empty,
          readChunk('src/devices/list/first-device-page.ts').file,
          2,
          failure,
        );
      },
    });
    await opened.getByRole('heading', { level: 1, name: /^Devices/ }).waitFor();
    expect(attempts()).toBeGreaterThan(2);
  });
});

async function fail(
  opened: Page,
  file: string,
  times: number,
  failure: Failure,
): Promise<() => number> {
  testBrowser.expectErrors(opened, NOT_RECEIVED);
  let attempts = 0;
  await opened.route(`**/${file}`, (route) => {
    attempts += 1;
    return attempts <= times ? failure(route, attempts) : route.continue();
  });
  return () => attempts;
}

const follow = (opened: Page, to: string): Promise<void> =>
  opened.evaluate((url) => history.pushState({}, '', url), to);

/** Marks a document, to detect a reload. */
const mark = (opened: Page) => opened.evaluate(() => Reflect.set(globalThis, 'marked', true));
const isMarked = (opened: Page) => opened.evaluate(() => 'marked' in globalThis);
