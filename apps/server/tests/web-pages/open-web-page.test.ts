import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endPageSession, endWebPage } from '../../src/web-pages/end-web-page.ts';
import { listDeviceWebPages } from '../../src/web-pages/list-web-pages.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { BIG } from './device-web-server.ts';
import {
  askPage,
  callerOf,
  openWebPageFixture,
  type OpenPage,
  type PageAnswer,
  type PageRequest,
  type WebPageFixture,
} from './web-page-fixture.ts';

let fixture: WebPageFixture;

beforeAll(async () => {
  fixture = await openWebPageFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
// A failed test leaves no session to the next one.
afterEach(async () => {
  const open = await rowsOf<{ id: string }>(
    fixture.setup.database,
    `select id from web_page_session where state <> 'ended'`,
  );
  for (const { id } of open) await endPageSession(fixture.deps, { id, reason: 'closed' });
});

const ask = (page: OpenPage, asked: PageRequest = {}): Promise<PageAnswer> =>
  askPage(fixture.pagesPort, { ...page, ...asked });

async function openPage(): Promise<{ sessionId: string; page: OpenPage }> {
  const sessionId = await fixture.open();
  return { sessionId, page: await fixture.enter(sessionId) };
}

describe('a web page of a device through the real agent', () => {
  test('its pages, styles, and forms work', async () => {
    const { page } = await openPage();
    const start = await ask(page);
    expect(start.status).toBe(200);
    expect(String(start.body)).toContain('style.css');
    expect((await ask(page, { path: '/style.css' })).headers['content-type']).toBe('text/css');
    const saved = await ask(page, {
      ...{ path: '/form', method: 'POST', body: 'name=Anna' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(String(saved.body)).toBe('saved name=Anna');
    expect((await ask(page, { path: '/none' })).status).toBe(404);
    const head = await ask(page, { path: '/big', method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(BIG.length));
    expect(head.body).toHaveLength(0);
  });

  test('a download of 10 MB arrives unchanged', async () => {
    const { sessionId, page } = await openPage();
    const { body, headers } = await ask(page, { path: '/big' });
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(digest(body)).toBe(digest(BIG));
    expect(headers['content-length']).toBe(String(BIG.length));
    await until(async () => (await fixture.row(sessionId)).received_bytes === BIG.length);
  }, 90_000);

  test('an upload larger than the window arrives unchanged', async () => {
    const { page } = await openPage();
    const body = 'x'.repeat(3_000_000);
    const saved = await ask(page, { path: '/form', method: 'POST', body });
    expect(String(saved.body)).toBe(`saved ${body}`);
  }, 60_000);

  test('the web server of the device sees itself as host and origin', async () => {
    const { page } = await openPage();
    const own = `http://${page.host}`;
    const { body } = await ask(page, {
      path: '/echo?q=1',
      headers: { origin: own, referer: `${own}/a?b=c`, 'x-forwarded-for': '10.0.0.1' },
    });
    const { url, headers } = JSON.parse(String(body)) as {
      url: string;
      headers: Record<string, string>;
    };
    const device = `http://127.0.0.1:${fixture.web.port}`;
    expect(url).toBe('/echo?q=1');
    expect(headers).toMatchObject({ host: `127.0.0.1:${fixture.web.port}`, origin: device });
    expect(headers.referer).toBe(`${device}/a?b=c`);
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('x-forwarded-for');
  });

  test('redirects to itself stay under the origin, others do not change', async () => {
    const { page } = await openPage();
    const moved = await ask(page, { path: '/moved' });
    expect(moved.headers.location).toBe(`http://${page.host}/form?x=1`);
    const elsewhere = await ask(page, { path: '/elsewhere' });
    expect(elsewhere.headers.location).toBe('https://example.org/');
  });

  test('its cookies stay within the host of the session', async () => {
    const { page } = await openPage();
    const { headers } = await ask(page, { path: '/sign-in' });
    expect(headers['set-cookie']).toEqual(['sid=abc; Path=/; HttpOnly']);
    const echoed = await ask(page, { path: '/echo', cookie: `${page.cookie}; sid=abc` });
    expect(JSON.parse(String(echoed.body))).toMatchObject({ headers: { cookie: 'sid=abc' } });
  });

  test('requests reach the device from a server that serves no devices', async () => {
    const { page } = await openPage();
    await using other = await fixture.openOtherServer();
    const body = 'y'.repeat(300_000);
    const saved = await askPage(other.port, { ...page, path: '/form', method: 'POST', body });
    expect(String(saved.body)).toBe(`saved ${body}`);
  }, 30_000);

  test('the end of a session is recorded with what was requested, without queries', async () => {
    const { sessionId, page } = await openPage();
    await ask(page, { path: '/style.css?secret=1' });
    await ask(page, { path: '/style.css?secret=2' });
    await ask(page);
    await endWebPage(fixture.deps, callerOf(fixture.viewer), { sessionId });
    const closed = (await fixture.events('web-page.closed')).at(-1);
    expect(closed).toMatchObject({
      ...{ sessionId, end: 'closed', requests: 3, otherRequests: 0 },
      paths: [
        { method: 'GET', path: '/style.css', count: 2 },
        { method: 'GET', path: '/', count: 1 },
      ],
    });
    expect(JSON.stringify(closed)).not.toContain('secret');
    const opened = (await fixture.events('web-page.opened')).at(-1);
    expect(opened).toMatchObject({ sessionId, purpose: 'test of web pages' });
    const ended = await ask(page);
    expect(ended.status).toBe(410);
    expect(ended.headers['clear-site-data']).toBe('"cache", "storage"');
    expect(ended.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')]);
  });

  test('a session ends in the middle of a response', async () => {
    const { sessionId, page } = await openPage();
    const endless = ask(page, { path: '/endless' });
    await until(() => fixture.web.open() > 0);
    await endWebPage(fixture.deps, callerOf(fixture.viewer), { sessionId });
    await expect(endless).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    await until(() => fixture.web.open() === 0);
  });

  test('a device whose connection is lost ends the session', async () => {
    const { sessionId } = await openPage();
    fixture.agent.agent.disconnect();
    await until(async () => (await fixture.row(sessionId)).state === 'ended', 30_000);
    expect((await fixture.row(sessionId)).end_reason).toBe('device-lost');
    fixture.agent.agent.connect();
    const deviceId = fixture.device.deviceId;
    const { sessions } = await listDeviceWebPages(fixture.deps, fixture.viewer, { deviceId });
    expect(sessions[0]).toMatchObject({ id: sessionId, endReason: 'device-lost' });
  }, 40_000);
});
