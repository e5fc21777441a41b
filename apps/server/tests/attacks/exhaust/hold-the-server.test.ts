import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createHttpServer } from '../../../src/platform/http/create-http-server.ts';
import { httpLimits, type HttpLimits } from '../../../src/platform/http/http-limits.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { createReadinessBoard } from '../../../src/platform/readiness-board.ts';

const LARGE_BYTES = 8 * 1024 * 1024;
const PROXY = '127.0.0.9';
const GRACE_MS = 500;

let app: FastifyInstance;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function start(limits: Partial<HttpLimits>): Promise<void> {
  const config = readConfig({
    argv: [],
    env: { DEVICEPORTAL_LOG_LEVEL: 'silent', DEVICEPORTAL_TRUST_PROXY: PROXY },
    workingDir: tmpdir(),
  });
  app = await createHttpServer({
    config,
    logger: createLogger(config),
    metrics: createMetrics(),
    readiness: createReadinessBoard(),
    portalDir: tmpdir(),
    httpLimits: { ...httpLimits, sweepMs: 50, slowGraceMs: GRACE_MS, ...limits },
  });
  app.get('/large', async () => 'x'.repeat(LARGE_BYTES));
  app.get('/stream', async (_request, reply) =>
    reply.type('application/octet-stream').send(Readable.from(pieces())),
  );
  app.get('/never', () => new Promise(() => {}));
  app.post('/body', async () => 'read');
  app.post('/refused', async (_request, reply) => reply.code(400).send('no'));
  app.get('/by-another-framework', (_request, reply) => {
    reply.hijack();
    reply.raw.statusCode = 401;
    reply.raw.end('no');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
}

function* pieces(): Generator<Buffer> {
  for (let sent = 0; sent < LARGE_BYTES; sent += 65_536) yield Buffer.alloc(65_536);
}

/** A client with its own address; it reads only on demand. */
async function open(localAddress = '127.0.0.1', text = ''): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'host: x', ...headers].join('\r\n')}\r\n\r\n`;

async function endsWithin(socket: Socket, ms: number): Promise<boolean> {
  if (socket.closed) return true;
  const signal = AbortSignal.timeout(ms);
  return once(socket, 'close', { signal }).then(
    () => true,
    () => false,
  );
}

async function statusOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString().slice(9, 12);
}

const openConnections = () =>
  new Promise<number>((resolve) => {
    app.server.getConnections((_error, count) => resolve(count));
  });

test('one address cannot use the connections of all', async () => {
  await start({ connectionsPerAddress: 5 });
  for (let count = 0; count < 20; count += 1) (await open()).resume();
  await expect.poll(openConnections).toBe(5);
  expect(await statusOf(await open('127.0.0.2', get('/healthz')))).toBe('200');
  sockets[0]?.destroy();
  await expect.poll(openConnections).toBe(5);
  expect(await statusOf(await open('127.0.0.1', get('/healthz')))).toBe('200');
});

test('all addresses together cannot exceed the total limit of connections', async () => {
  await start({ connections: 8, connectionsPerAddress: 5 });
  for (let count = 0; count < 20; count += 1) (await open(`127.0.1.${count + 1}`)).resume();
  await expect.poll(openConnections).toBe(8);
});

test('behind a trusted proxy, one client cannot use the requests of the others', async () => {
  await start({ connectionsPerAddress: 2, requestsPerAddress: 3 });
  const from = (client: string, path: string) =>
    open(PROXY, get(path, `x-forwarded-for: ${client}`));
  for (let count = 0; count < 3; count += 1) await from('192.0.2.7', '/never');
  expect(await statusOf(await from('192.0.2.7', '/healthz'))).toBe('429');
  expect(await statusOf(await from('192.0.2.8', '/healthz'))).toBe('200');
  // A whole subscriber network counts as one client.
  for (let count = 0; count < 3; count += 1) await from(`2001:db8::${count}`, '/never');
  expect(await statusOf(await from('2001:db8::abcd', '/healthz'))).toBe('429');
  sockets[0]?.destroy();
  await expect.poll(async () => statusOf(await from('192.0.2.7', '/healthz'))).toBe('200');
});

test('a client that is not a trusted proxy cannot claim another address', async () => {
  await start({ requestsPerAddress: 1 });
  await open('127.0.0.1', get('/never', 'x-forwarded-for: 192.0.2.1'));
  const other = await open('127.0.0.1', get('/healthz', 'x-forwarded-for: 192.0.2.2'));
  expect(await statusOf(other)).toBe('429');
});

test.each([
  ['nothing', ''],
  ['headers without end', 'GET / HTTP/1.1\r\nhost: x\r\n'],
])('a client that sends %s cannot keep its connection', async (_what, text) => {
  await start({ headersTimeoutMs: 300 });
  const socket = await open('127.0.0.1', text);
  socket.resume();
  const drip = setInterval(() => {
    if (text !== '') socket.write('x-more: x\r\n');
  }, 50);
  expect(await endsWithin(socket, 4_000)).toBe(true);
  clearInterval(drip);
});

test('a client that sends its body byte by byte cannot keep its connection', async () => {
  await start({});
  const head = 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n';
  const socket = await open('127.0.0.1', `${head}content-length: 100000\r\n\r\n`);
  socket.resume();
  const drip = setInterval(() => socket.write('x'), 20);
  expect(await endsWithin(socket, GRACE_MS * 8)).toBe(true);
  clearInterval(drip);
});

test('a client with a slow connection may exceed the minimum time for its body', async () => {
  await start({ slowestBytesPerSecond: 1_000 });
  const head = 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n';
  const socket = await open('127.0.0.1', `${head}content-length: 6000\r\n\r\n`);
  for (let count = 0; count < 30; count += 1) {
    socket.write('x'.repeat(200));
    await sleep(50);
  }
  expect(await statusOf(socket)).toBe('200');
});

test.each(['/large', '/stream'])(
  'a client that does not read the response of %s keeps neither its connection nor memory',
  async (path) => {
    await start({});
    let unread = 0;
    app.server.on('request', (request: { socket: Socket }) => {
      const watch = setInterval(() => {
        unread = Math.max(unread, request.socket.writableLength);
      }, 10);
      request.socket.once('close', () => clearInterval(watch));
    });
    const socket = await open('127.0.0.1', get(path));
    await expect.poll(openConnections, { timeout: GRACE_MS * 8 }).toBe(0);
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(512 * 1024);
    expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  },
);

test.each(['/large', '/stream'])(
  'a client that reads the response of %s slowly receives all of it',
  async (path) => {
    await start({ slowestBytesPerSecond: 100_000 });
    const socket = await open('127.0.0.1', get(path, 'connection: close'));
    let read = 0;
    // The operating system buffers the first few megabytes.
    for (; read < LARGE_BYTES; await sleep(20)) {
      const chunk = socket.read() as Buffer | null;
      read += chunk?.length ?? 0;
      if (socket.closed && chunk === null) break;
    }
    expect(read).toBeGreaterThanOrEqual(LARGE_BYTES);
  },
);

test('an address with repeated rejections is throttled, and others are not', async () => {
  const pause = { waitMs: 400, most: 2 };
  await start({ refusals: { burst: 3, perSecond: 0.001 }, refusalPause: pause });
  const timeOf = async (localAddress: string): Promise<number> => {
    const startedAt = performance.now();
    expect(await statusOf(await open(localAddress, get('/api/none')))).toBe('404');
    return performance.now() - startedAt;
  };
  for (let count = 0; count < 3; count += 1)
    expect(await timeOf('127.0.0.5')).toBeLessThan(pause.waitMs);
  const times = await Promise.all(Array.from({ length: 5 }, () => timeOf('127.0.0.5')));
  expect(times.filter((ms) => ms >= pause.waitMs - 5)).toHaveLength(pause.most);
  expect(await timeOf('127.0.0.6')).toBeLessThan(pause.waitMs);
});

test('a rejection by another framework is throttled as well', async () => {
  const pause = { waitMs: 400, most: 9 };
  await start({ refusals: { burst: 2, perSecond: 0.001 }, refusalPause: pause });
  const times: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const startedAt = performance.now();
    const socket = await open('127.0.0.7', get('/by-another-framework'));
    expect(await statusOf(socket)).toBe('401');
    times.push(performance.now() - startedAt);
  }
  expect(times.map((ms) => ms >= pause.waitMs - 5)).toEqual([false, false, true]);
});

const MIB = 1024 * 1024;

/** Sends a body in chunks, without a declared length. @returns how long the response took */
async function sendChunks(socket: Socket, path: string, bytes: number): Promise<number> {
  const startedAt = performance.now();
  const chunk = Buffer.alloc(16_384, 120);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    socket.write(`${chunk.length.toString(16)}\r\n`);
    socket.write(chunk);
    socket.write('\r\n');
  }
  socket.write('0\r\n\r\n');
  await once(socket, 'data');
  return performance.now() - startedAt;
}

test('a chunked body is charged by its size, once, and only rejected clients pay', async () => {
  const pause = { waitMs: 1_500, most: 9 };
  await start({ refusals: { burst: 70, perSecond: 0.001 }, refusalPause: pause });
  const socket = await open('127.0.0.8');
  expect(await sendChunks(socket, '/body', MIB)).toBeLessThan(pause.waitMs);
  expect(await sendChunks(socket, '/body', MIB)).toBeLessThan(pause.waitMs);
  expect(await sendChunks(socket, '/refused', 16_384)).toBeLessThan(pause.waitMs);
  expect(await sendChunks(socket, '/refused', MIB)).toBeLessThan(pause.waitMs);
  expect(await sendChunks(socket, '/refused', 65_536)).toBeGreaterThanOrEqual(pause.waitMs - 5);
});

test('an unread chunked body is charged by its real size', async () => {
  const pause = { waitMs: 1_500, most: 9 };
  await start({ refusals: { burst: 50, perSecond: 0.001 }, refusalPause: pause });
  const socket = await open('127.0.0.10');
  await sendChunks(socket, '/none', MIB);
  await sleep(100);
  const other = await open('127.0.0.10');
  expect(await sendChunks(other, '/refused', 16_384)).toBeGreaterThanOrEqual(pause.waitMs - 5);
});
