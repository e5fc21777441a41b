import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { errorNameOf } from '@deviceportal/contract/errors';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../src/platform/config/read-config.ts';
import { createHttpServer } from '../src/platform/http/create-http-server.ts';
import { createLogger } from '../src/platform/logging.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { createReadinessBoard } from '../src/platform/readiness-board.ts';

const logged: string[] = [];
const readiness = createReadinessBoard();
let app: FastifyInstance;
let address: string;
let portalDir: string;

beforeAll(async () => {
  portalDir = await mkdtemp(join(tmpdir(), 'dp-portal-'));
  await mkdir(join(portalDir, 'assets'));
  await writeFile(join(portalDir, 'index.html'), '<title>portal</title>');
  await writeFile(
    join(portalDir, 'assets', 'entry-abc.js'),
    `export const a = '${'x'.repeat(4096)}';`,
  );
  const config = readConfig({ argv: [], env: {}, workingDir: portalDir });
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ logLevel: 'debug' }, destination);
  app = await createHttpServer({ config, logger, metrics: createMetrics(), readiness, portalDir });
  app.get('/api/trpc/:names', async (request) => ({
    names: (request.params as { names: string }).names.length,
  }));
  app.post('/api/echo', async (request) => request.body);
  app.get('/api/broken', async () => {
    throw new Error('password of the database is hunter2');
  });
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await rm(portalDir, { recursive: true });
});

test('[http-1] a batch of thousands of names and a long query pass', async () => {
  const names = Array.from({ length: 3_000 }, () => 'devices.list').join(',');
  const response = await fetch(`${address}/api/trpc/${names}?input=${'x'.repeat(1_500_000)}`);
  expect(await response.json()).toEqual({ names: names.length });
});

test.each([
  [413, () => post('application/json', `"${'x'.repeat(2_000_000)}"`)],
  [400, () => post('application/json', '{"broken"')],
  [415, () => post('application/pdf', 'x')],
  [404, () => fetch(`${address}/api/nothing`)],
  [500, () => fetch(`${address}/api/broken`)],
])('[http-2] status %i comes with the entry of the catalog', async (status, send) => {
  const response = await send();
  expect(response.status).toBe(status);
  const body = (await response.json()) as Record<string, never>;
  expect(body).toMatchObject({
    code: expect.any(Number),
    message: expect.any(String),
    requestId: response.headers.get('x-request-id'),
    error: { json: { data: { httpStatus: status, portal: { code: body['code'] } } } },
  });
  expect(errorNameOf(body['code'] as unknown as number)).toBe(body['name']);
  expect(JSON.stringify(body)).not.toContain('hunter2');
});

test('[http-3] a request line beyond the limit is answered 431 with the catalog', async () => {
  const answer = await sendRaw(`GET /?x=${'x'.repeat(4_300_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"code":2004');
});

test.each([
  [414, 'a long address', `GET /idp/oidc/auth?state=${'x'.repeat(140_000)}`, ''],
  [431, 'a long header', 'GET /idp/oidc/auth', `User-Agent: ${'x'.repeat(70_000)}\r\n`],
  [431, 'many headers', 'GET /api/trpc/a', `X: ${'x'.repeat(9_000)}\r\n`.repeat(8)],
])('[http-15] status %i answers %s', async (status, _what, line, headers) => {
  const answer = await sendRaw(
    `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('"code":2004');
});

test('[http-4] what is not HTTP is answered 400 with the catalog', async () => {
  const answer = await sendRaw('HELLO\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":2004');
});

test.each([
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a disguised encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'an encoding that is not the last',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  ],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ['a fragment', 'GET /api/config#?a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['a line feed alone', 'GET / HTTP/1.1\nHost: a\n\n'],
  [
    'a line in a chunk extension',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a\nb\r\na\r\n0\r\n\r\n',
  ],
])('[http-12] what proxies could read in another way is refused: %s', async (_what, text) => {
  const answer = await sendRaw(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toMatch(/HTTP\/1\.1 (200|404|503)/);
});

test('[http-13] what is refused before it is a request carries the security headers too', async () => {
  const answer = (await sendRaw('HELLO\r\n\r\n')).toLowerCase();
  expect(answer).toContain('x-content-type-options: nosniff');
  expect(answer).toContain("content-security-policy: default-src 'none'");
});

test('[http-5] hashed files are kept for a year, pages are always asked for again', async () => {
  const asset = await fetch(`${address}/assets/entry-abc.js`, {
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-encoding')).toBe('br');
  const page = await fetch(`${address}/devices/some-id?tab=events`);
  expect(await page.text()).toContain('<title>portal</title>');
  expect(page.headers.get('cache-control')).toBe('no-cache');
});

test('[http-14] a compressed page is no leak of listeners, which Node would warn of in the log', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const page = await fetch(`${address}/devices/some-id?tab=events`, {
    headers: { 'accept-encoding': 'gzip, br' },
  });
  await page.text();
  await setImmediate();
  process.off('warning', note);
  expect(warnings.map(({ message }) => message)).toEqual([]);
});

test('[http-6] a file of an older release is not found rather than a page', async () => {
  const response = await fetch(`${address}/assets/entry-old.js`);
  expect(response.status).toBe(404);
});

test('[http-7] pages allow nothing from elsewhere', async () => {
  const policy = (await fetch(address)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain('unsafe');
});

test('[http-8] readiness names the part that is missing', async () => {
  const broker = readiness.expect('broker');
  expect(await readReadiness()).toMatchObject([503, { waitingFor: ['broker'] }]);
  broker.up();
  expect(await readReadiness()).toMatchObject([200, { parts: { broker: 'up' } }]);
  broker.down('the worker ended');
  expect(await readReadiness()).toMatchObject([503, { parts: { broker: 'the worker ended' } }]);
  broker.up();
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

test('load balancers find the roles of a server, and whether they are ready', async () => {
  await using balanced = await openBalanced(['--roles', 'web,identity']);
  const { url, part } = balanced;
  const statuses = () =>
    Promise.all(
      ['web', 'identity', 'gateway', 'worker'].map(
        async (role) => (await fetch(`${url}/healthz/${role}`)).status,
      ),
    );
  expect(await statuses()).toEqual([503, 503, 404, 404]);
  part.up();
  await vi.waitFor(async () => expect(await statuses()).toEqual([200, 200, 404, 404]), 5_000);
  const response = await fetch(`${url}/readyz`);
  expect(await response.json()).toMatchObject({ roles: ['web', 'identity'] });
});

test('[http-9] figures are served for Prometheus', async () => {
  const text = await (await fetch(`${address}/metrics`)).text();
  expect(text).toMatch(/deviceportal_http_request_seconds_count\{.*route="\/api\/trpc\/:names"/);
});

test('[http-10] neither inputs nor credentials are logged', async () => {
  const headers = { authorization: 'Bearer sesame-token', cookie: 'c=sesame-cookie' };
  await fetch(`${address}/api/batch/a?input=sesame-input`, { headers });
  app.log.info({ input: 'sesame-input', headers }, 'a careless line');
  await expect.poll(() => logged.join('')).toContain('/api/batch/a');
  expect(logged.join('')).not.toContain('sesame');
});

test('[http-11] an open WebSocket does not keep the server from stopping', async () => {
  const config = readConfig({ argv: [], env: {}, workingDir: portalDir });
  const logger = createLogger({ logLevel: 'silent' });
  const closing = await createHttpServer({
    config,
    logger,
    metrics: createMetrics(),
    readiness: createReadinessBoard(),
    portalDir,
  });
  closing.server.on('upgrade', (_request, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\nConnection: Upgrade\r\n\r\n',
    );
  });
  const { port } = new URL(await closing.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /mqtt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
  await once(socket, 'data');
  await Promise.all([closing.close(), once(socket, 'close')]);
});

/** A server with some roles, of which one part is still starting. */
async function openBalanced(argv: readonly string[]) {
  const board = createReadinessBoard();
  const part = board.expect('database');
  const server = await createHttpServer({
    config: readConfig({ argv, env: {}, workingDir: portalDir }),
    logger: createLogger({ logLevel: 'silent' }),
    metrics: createMetrics(),
    readiness: board,
    portalDir,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, part, [Symbol.asyncDispose]: async () => void (await server.close()) };
}

async function readReadiness() {
  const response = await fetch(`${address}/readyz`);
  return [response.status, await response.json()];
}

function post(type: string, body: string): Promise<Response> {
  return fetch(`${address}/api/echo`, { method: 'POST', headers: { 'content-type': type }, body });
}

async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
