import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  signStatement,
  statementTypes,
  type StatementType,
} from '@deviceportal/command-signing/signed-statement';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { headFrame } from '@deviceportal/device-protocol/web-frames';
import type { WebPageStatement } from '@deviceportal/device-protocol/web-page-message';
import { endPageSession, endWebPage } from '../../../src/web-pages/end-web-page.ts';
import { WebPageIngest } from '../../../src/web-pages/ingest-web-page-messages.ts';
import { linkWebPage } from '../../../src/web-pages/link-web-page.ts';
import { openWebPage } from '../../../src/web-pages/open-web-page.ts';
import type { WebPageDeps } from '../../../src/web-pages/web-page-deps.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { viewerHolding } from '../../support/command-fixture.ts';
import { rowsOf, until } from '../../support/gateway-fixture.ts';
import { testRunSigning } from '../../support/run-signing.ts';
import {
  askPage,
  callerOf,
  enterBy,
  openWebPageFixture,
  pageViewer,
  type OpenPage,
  type PageAnswer,
  type PageRequest,
  type WebPageFixture,
} from '../../web-pages/web-page-fixture.ts';

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

const ask = (page: Partial<OpenPage>, asked: PageRequest = {}): Promise<PageAnswer> =>
  askPage(fixture.pagesPort, { ...page, ...asked });

async function openPage(): Promise<{ sessionId: string; page: OpenPage }> {
  const sessionId = await fixture.open();
  return { sessionId, page: await fixture.enter(sessionId) };
}

/** What a server answers to these bytes, until it closes the connection. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(fixture.pagesPort, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const other = (permissions: readonly Permission[], scope = everywhere): Viewer =>
  viewerHolding([{ permissions, scope }], 'another-user');

describe('a user', () => {
  test.each([
    ['without the permission', other(['devices:read', 'terminal:open'])],
    ['outside the scope', other(['web-pages:open'], { ...everywhere, countries: ['NZ'] })],
  ])('%s opens nothing', async (_who, viewer) => {
    await expect(fixture.open(viewer)).rejects.toMatchObject({ code: 6000 });
  });

  test('gets no link to the session of another user, and does not end it', async () => {
    const { sessionId } = await openPage();
    await expect(linkWebPage(fixture.deps, pageViewer(), { sessionId })).rejects.toMatchObject({
      code: 2003,
    });
    await expect(
      endWebPage(fixture.deps, callerOf(pageViewer()), { sessionId }),
    ).rejects.toMatchObject({ code: 6000 });
    expect((await fixture.row(sessionId)).state).toBe('open');
  });

  test('reaches no port that the device does not offer', async () => {
    const input = { deviceId: fixture.device.deviceId, port: 22, reason: 'another port' };
    await expect(openWebPage(fixture.deps, callerOf(fixture.viewer), input)).rejects.toMatchObject({
      reason: 'web-page-port-not-offered',
    });
  });

  test('opens no more pages of a device than the limit, also at the same time', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => fixture.open()));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('loses the page within seconds when the sign-in ends', async () => {
    const { sessionId, page } = await openPage();
    expect((await ask(page)).status).toBe(200);
    fixture.signedOut.add(fixture.viewer.userId);
    try {
      await until(async () => (await fixture.row(sessionId)).end_reason === 'permission-lost');
      expect((await ask(page)).status).toBe(410);
    } finally {
      fixture.signedOut.clear();
    }
  });
});

describe('a link', () => {
  test('works once, and its cookie only for its own session', async () => {
    const sessionId = await fixture.open();
    const { url } = await linkWebPage(fixture.deps, fixture.viewer, { sessionId });
    const page = await enterBy(url, fixture.pagesPort);
    await expect(enterBy(url, fixture.pagesPort)).rejects.toThrow('403');
    const second = await openPage();
    expect((await ask({ host: second.page.host, cookie: page.cookie })).status).toBe(403);
    expect((await ask(page)).status).toBe(200);
  });

  test('of an earlier time does not work after a new one', async () => {
    const sessionId = await fixture.open();
    const first = await linkWebPage(fixture.deps, fixture.viewer, { sessionId });
    await linkWebPage(fixture.deps, fixture.viewer, { sessionId });
    await expect(enterBy(first.url, fixture.pagesPort)).rejects.toThrow('403');
  });

  test('does not work a minute later', async () => {
    const sessionId = await fixture.open();
    const { url } = await linkWebPage(fixture.deps, fixture.viewer, { sessionId });
    await fixture.setup.database.pool.query(
      `update web_page_session set link_ends_at = now() - interval '1 second' where id = $1`,
      [sessionId],
    );
    await expect(enterBy(url, fixture.pagesPort)).rejects.toThrow('403');
  });

  test('is not in any address that a server or a page learns', async () => {
    const sessionId = await fixture.open();
    const { url } = await linkWebPage(fixture.deps, fixture.viewer, { sessionId });
    const { pathname, search, hash, host } = new URL(url);
    expect([pathname, search]).toEqual(['/.device-portal/enter', '']);
    expect(hash.length).toBeGreaterThan(40);
    const shown = await ask({ host }, { path: pathname, headers: { 'sec-fetch-site': 'none' } });
    expect(shown.headers['referrer-policy']).toBe('no-referrer');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('another origin', () => {
  test.each(['cross-site', 'same-site'])('sends no request (%s)', async (site) => {
    const { page } = await openPage();
    const before = fixture.web.seen.length;
    const answer = await ask(page, { headers: { 'sec-fetch-site': site } });
    expect(answer.status).toBe(403);
    expect(fixture.web.seen).toHaveLength(before);
  });

  test('sends no request from a browser without fetch metadata', async () => {
    const { page } = await openPage();
    const text = `POST /form HTTP/1.1\r\nhost: ${page.host}\r\ncookie: ${page.cookie}\r\norigin: http://evil.localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
    expect(await sendRaw(text)).toMatch(/^HTTP\/1\.1 403/);
  });

  test('reads and frames nothing, and a device changes nothing beyond its page', async () => {
    const { page } = await openPage();
    const { headers } = await ask(page, { path: '/reaching' });
    for (const name of [
      ...['access-control-allow-origin', 'clear-site-data', 'alt-svc'],
      'strict-transport-security',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  });
});

describe('a request', () => {
  const start = (page: OpenPage, first: string): string =>
    `${first}\r\nhost: ${page.host}\r\ncookie: ${page.cookie}\r\nconnection: close\r\n`;

  test.each([
    [
      'with two lengths',
      'POST /form HTTP/1.1',
      'content-length: 5\r\ncontent-length: 6\r\n\r\nabcde',
    ],
    [
      'with a length and chunks',
      'POST /form HTTP/1.1',
      'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
    ],
    [
      'with chunks',
      'POST /form HTTP/1.1',
      'transfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n',
    ],
    ['with another host as target', 'GET http://169.254.169.254/latest HTTP/1.1', '\r\n'],
    ['to a tunnel', 'CONNECT 10.0.0.1:22 HTTP/1.1', '\r\n'],
    ['with a method of its own', 'PROPFIND / HTTP/1.1', '\r\n'],
    ['for a WebSocket', 'GET / HTTP/1.1', 'upgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
    ['for a worker', 'GET /worker.js HTTP/1.1', 'service-worker: script\r\n\r\n'],
  ])('%s does not reach the device', async (_what, first, rest) => {
    const { page } = await openPage();
    const before = fixture.web.seen.length;
    const answer = await sendRaw(start(page, first) + rest);
    expect(answer).toMatch(/^(HTTP\/1\.1 (4\d\d|501).*|)/);
    expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
    expect(fixture.web.seen).toHaveLength(before);
  });

  test('with another host in its header or path goes to the device itself', async () => {
    const { page } = await openPage();
    expect((await ask({ ...page, host: 'evil.example' })).status).toBe(404);
    const { body } = await ask(page, { path: '//169.254.169.254/echo' });
    const { headers } = JSON.parse(String(body)) as { headers: { host: string } };
    expect(headers.host).toBe(`127.0.0.1:${fixture.web.port}`);
    expect(fixture.web.seen.at(-1)?.url).toBe('//169.254.169.254/echo');
  });

  test('larger than the limit is rejected before its body', async () => {
    const { page } = await openPage();
    const text = `${start(page, 'POST /form HTTP/1.1')}content-length: 999999999\r\n\r\n`;
    expect(await sendRaw(text)).toMatch(/^HTTP\/1\.1 413/);
  });

  test('one of 1,000 at the same time is forwarded or rejected, and the session goes on', async () => {
    const { page } = await openPage();
    const answers = await Promise.allSettled(Array.from({ length: 1_000 }, () => ask(page)));
    const statuses = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.status : 'closed',
    );
    expect(new Set(statuses).difference(new Set([200, 503, 'closed']))).toEqual(new Set());
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(15);
    expect((await ask(page)).status).toBe(200);
  }, 60_000);

  test('that is sent slowly ends', async () => {
    const socket = connect(fixture.pagesPort, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\n');
    const dripping = setInterval(() => socket.write('x: y\r\n'), 500);
    const startedAtMs = performance.now();
    socket.resume();
    await once(socket, 'close');
    clearInterval(dripping);
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  }, 30_000);

  test('whose browser leaves ends on the device, too', async () => {
    const { page } = await openPage();
    const socket = connect(fixture.pagesPort, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${start(page, 'GET /endless HTTP/1.1')}\r\n`);
    await once(socket, 'data');
    socket.destroy();
    await until(() => fixture.web.open() === 0);
  });
});

describe('a device', () => {
  const deliver = (deviceId: string, message: object): Promise<void> => {
    using ingest = new WebPageIngest({
      ...fixture.deps,
      ...{ webPageLines: fixture.setup.webPageLines, refuse: () => {} },
    });
    return ingest.take({ deviceId, payload: Buffer.from(JSON.stringify(message)) });
  };

  test('does not answer requests of a session of another device', async () => {
    const { sessionId: session, page } = await openPage();
    const streams = new Set<string>();
    using _sent = fixture.setup.changes.subscribe((change) => {
      if (change.kind !== 'web-page-down') return;
      const { stream } = JSON.parse(change.payload) as { readonly stream?: string };
      if (stream !== undefined) streams.add(stream);
    });
    await using server = await fixture.openOtherServer();
    const answer = askPage(server.port, { ...page, path: '/silent' });
    await until(() => fixture.web.open() > 0 && streams.size > 0);
    const forged = headFrame({ status: 200, headers: [['x-forged', '1']] });
    const data = Buffer.from(forged).toString('base64');
    for (const stream of streams)
      await deliver(newId(), { kind: 'data', session, stream, offset: 0, data });
    await deliver(newId(), { kind: 'closed', session, reason: 'too-long' });
    expect((await fixture.row(session)).state).toBe('open');
    await endPageSession(fixture.deps, { id: session, reason: 'closed' });
    expect(await answer).toMatchObject({ status: 410 });
  });

  /** Opens a page with another statement than the portal has made. */
  async function openWith(
    change: (statement: WebPageStatement) => Promise<SignedStatement>,
  ): Promise<string | null> {
    const { deps, device, web } = fixture;
    const changing: WebPageDeps = {
      ...deps,
      webPageLines: {
        send(deviceId, message) {
          if (message.kind !== 'open') return deps.webPageLines.send(deviceId, message);
          const made = JSON.parse(message.statement.payload) as WebPageStatement;
          void change(made).then((statement) =>
            deps.webPageLines.send(deviceId, { ...message, statement }),
          );
        },
      },
    };
    const input = { deviceId: device.deviceId, port: web.port, reason: 'another statement' };
    const { sessionId } = await openWebPage(changing, callerOf(fixture.viewer), input);
    await until(async () => (await fixture.row(sessionId)).state === 'ended');
    return (await fixture.row(sessionId)).obstacle;
  }

  const sign = (statement: object, type: StatementType = statementTypes.webPage) =>
    signStatement(type, statement, fixture.deps.signing.keys.current);
  const foreign = testRunSigning().keys.current;

  test.each<[string, string, (made: WebPageStatement) => Promise<SignedStatement>]>([
    ['by another key', 'signature', (made) => signStatement(statementTypes.webPage, made, foreign)],
    ['as a terminal', 'signature', (made) => sign(made, statementTypes.terminal)],
    ['for another device', 'signature', (made) => sign({ ...made, deviceId: newId() })],
    ['for another session', 'signature', (made) => sign({ ...made, session: newId() })],
    [
      'for an earlier time',
      'signature',
      (made) => sign({ ...made, openBefore: '2020-01-01T00:00:00.000Z' }),
    ],
    ['for a port that it does not offer', 'port', (made) => sign({ ...made, port: 22 })],
  ])('opens no page that is signed %s', async (_how, obstacle, change) => {
    expect(await openWith(change)).toBe(obstacle);
  });

  test('opens no page without a consent that the portal requires', async () => {
    const consented = (made: WebPageStatement) => sign({ ...made, needsConsent: true });
    expect(await openWith(consented)).toBe('no-consent-program');
  });
});
