import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

/** Large batches took 6 to 55 seconds; the margin allows for a machine that runs other tests. */
const MOST_MS = 3_000;

let portal: TestServer;
let viewer: string;

beforeAll(async () => {
  portal = await startTestServer();
  viewer = await portal.signIn('viewer');
});
afterAll(() => portal[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

/** `fetch` rejects URLs of this length later than the server does, so the request is written directly. */
async function ask(path: string, token?: string, body?: string): Promise<Answer> {
  const startedMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const call = request(`${portal.url}/api/trpc/`, {
    path: `/api/trpc/${path}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  call.on('error', reject);
  call.on('response', (reply) => {
    const chunks: Buffer[] = [];
    reply.on('data', (chunk: Buffer) => chunks.push(chunk));
    reply.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: reply.statusCode ?? 0, text, tookMs: performance.now() - startedMs });
    });
  });
  call.end(body);
  return promise;
}

const batchOf = (count: number, name: string): string =>
  `${Array.from({ length: count }, () => name).join(',')}?batch=1&input=%7B%7D`;

const codeOf = ({ text }: Answer): unknown => (JSON.parse(text) as { code?: unknown }).code;

test.each([
  [60_000, 'devices.list'],
  [500_000, 'a'],
])('a stranger cannot stall the server with a batch of %i names', async (count, name) => {
  const answer = await ask(batchOf(count, name));
  expect(answer.status).toBe(401);
  expect(codeOf(answer)).toBe(2001);
  expect(answer.text.length).toBeLessThan(2_000);
  expect(answer.tookMs).toBeLessThan(MOST_MS);
});

test('a stranger cannot stall the server with a million query parameters', async () => {
  const answer = await ask(`session.get?${'a&'.repeat(1_000_000)}`);
  expect(codeOf(answer)).toBe(2004);
  expect(answer.tookMs).toBeLessThan(MOST_MS);
});

test('a stranger cannot send a body of any size as a form', async () => {
  const reply = await fetch(`${portal.url}/api/trpc/session.savePreferences`, {
    method: 'POST',
    body: (() => {
      const form = new FormData();
      form.set('file', new Blob(['x'.repeat(3 * 1024 * 1024)]));
      return form;
    })(),
  }).catch(() => undefined);
  // The connection may end before everything is sent.
  expect(reply?.status ?? 415).toBe(415);
});

test('deeply nested JSON cannot overflow the stack, with or without a session', async () => {
  const deep = `{"json":{"preferences":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
  const inAddress = `session.get?input=${encodeURIComponent(deep)}`;
  for (const token of [undefined, viewer]) {
    expect(codeOf(await ask(inAddress, token))).toBe(2004);
    expect(codeOf(await ask('session.savePreferences', token, deep))).toBe(2004);
    expect(codeOf(await ask(inAddress.replace('input', '%69nput'), token))).toBe(2004);
  }
});

test('one user cannot keep the server busy with a batch of 500 searches', async () => {
  let longestMs = 0;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await (await fetch(`${portal.url}/healthz`)).text();
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  })();
  const inputs = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      index,
      { json: { text: `unknown words ${index}` } },
    ]),
  );
  const query = `?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
  const answer = await ask(
    `${Array.from({ length: 500 }, () => 'search.find').join(',')}${query}`,
    viewer,
  );
  isOver = true;
  await watch;
  expect(answer.tookMs).toBeLessThan(8_000);
  expect(longestMs).toBeLessThan(MOST_MS);
  expect(JSON.parse(answer.text)).toHaveLength(500);
  expect(answer.text.includes('"reason":"overBudget"')).toBe(true);
});

test('a batch of more than 500 calls is rejected as a whole, and its client splits it', async () => {
  const answer = await ask(batchOf(501, 'devices.list'), viewer);
  expect(JSON.parse(answer.text)).toMatchObject({ code: 2000, facts: { reason: 'overBudget' } });
});

test('one user cannot stall the server with a batch of 500,000 names', async () => {
  const answer = await ask(batchOf(500_000, 'a'), viewer);
  expect(JSON.parse(answer.text)).toMatchObject({ code: 2000, facts: { reason: 'overBudget' } });
  expect(answer.tookMs).toBeLessThan(MOST_MS);
});

test('a batch that is too large does not fill the error log', async () => {
  // Statuses of 500 and above are server errors and logged as such.
  expect((await ask(batchOf(500_000, 'a'), viewer)).status).toBe(429);
});

test('double-encoded names cannot hide their number', async () => {
  const names = Array.from({ length: 100_000 }, () => 'a').join('%252C');
  const answer = await ask(`${names}?batch=1&input=%7B%7D`, viewer);
  expect(codeOf(answer)).toBe(2004);
  expect(answer.text.length).toBeLessThan(2_000);
});
