import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKeySetFetcher } from './fetch-key-set.ts';
import { createKeySet } from './key-set.ts';

let server: Server | undefined;
let asked = 0;
afterEach(async () => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
  if (server !== undefined) await once(server, 'close');
  server = undefined;
});

/** A key set endpoint with the given responses, over a real connection. */
async function serve(...answers: readonly RequestListener[]): Promise<string> {
  asked = 0;
  server = createServer((request, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    answer?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

const json =
  (body: unknown, status = 200, type = 'application/json'): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
const cut: RequestListener = (request) => void request.socket.destroy();
const cutInBody: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"keys":', () => request.socket.destroy());
};
const silent: RequestListener = () => {};
const stalled: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"keys":');
};

const fetchFrom = (url: string) =>
  createKeySetFetcher({ fetch, timeoutMs: 150 })
    .fetch(url)
    .then(
      (bytes) => new TextDecoder().decode(bytes),
      (error: unknown) => (error instanceof TokenRefusal ? error.fault : error),
    );

describe('fetching a key set', () => {
  test('succeeds with status 200 and a JSON type', async () => {
    expect(await fetchFrom(await serve(json({ keys: [] })))).toBe('{"keys":[]}');
    const url = await serve(json({ keys: [] }, 200, 'application/jwk-set+json; charset=utf-8'));
    expect(await fetchFrom(url)).toBe('{"keys":[]}');
  });

  test.each<[string, RequestListener, string]>([
    ['another status', json({}, 503), 'key-set-status'],
    ['another success', json({ keys: [] }, 203), 'key-set-status'],
    ['too many requests', json({}, 429), 'key-set-too-many-requests'],
    ['another type', json({ keys: [] }, 200, 'text/plain'), 'key-set-malformed'],
    [
      'a redirect',
      (_request, response) => void response.writeHead(302, { location: '/other' }).end(),
      'key-set-status',
    ],
  ])('fails with %s, without a retry', async (_what, answer, fault) => {
    expect(await fetchFrom(await serve(answer, json({ keys: [] })))).toBe(fault);
    expect(asked).toBe(1);
  });

  test.each<[string, RequestListener, string]>([
    ['is cut', cut, 'key-set-not-fetched'],
    ['is cut within the body', cutInBody, 'key-set-not-fetched'],
    ['stays silent', silent, 'key-set-timed-out'],
    ['stalls within the body', stalled, 'key-set-timed-out'],
  ])('retries once when the connection %s', async (_what, broken, fault) => {
    expect(await fetchFrom(await serve(broken, json({ keys: [] })))).toBe('{"keys":[]}');
    expect(await fetchFrom(await serve(broken))).toBe(fault);
    expect(asked).toBe(2);
  });

  test('fails when the port is closed', async () => {
    expect(await fetchFrom('http://127.0.0.1:1/keys')).toBe('key-set-not-fetched');
  });
});

describe('the back-off', () => {
  const find = (keySet: ReturnType<typeof createKeySet>, kid: string): Promise<unknown> =>
    keySet
      .find({ header: { alg: 'RS256', kid, typ: undefined } })
      .catch((error: TokenRefusal) => error.fault);

  test('lasts ten seconds after an unknown key, for unknown keys only', async () => {
    vi.useFakeTimers();
    let fetches = 0;
    const { publicKey } = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        modulusLength: 2_048,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
      true,
      ['sign', 'verify'],
    );
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one', use: 'sig' };
    const keySet = createKeySet({
      url: 'https://issuer.example/keys',
      nowMs: Date.now,
      refreshAfterMs: 3_600_000,
      fetcher: {
        async fetch() {
          fetches += 1;
          return new TextEncoder().encode(JSON.stringify({ keys: [jwk] })).buffer as ArrayBuffer;
        },
      },
    });
    expect(await find(keySet, 'two')).toBe('key-not-found');
    expect(await find(keySet, 'three')).toBe('key-set-back-off');
    expect(await find(keySet, 'one')).toMatchObject({ alg: 'RS256' });
    await vi.advanceTimersByTimeAsync(9_900);
    expect(await find(keySet, 'two')).toBe('key-set-back-off');
    expect(fetches).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await find(keySet, 'two')).toBe('key-not-found');
    expect(fetches).toBe(2);
  });

  test('sends one request for many concurrent calls', async () => {
    const url = await serve(json({ keys: [] }));
    const keySet = createKeySet({
      url,
      nowMs: Date.now,
      refreshAfterMs: 3_600_000,
      fetcher: createKeySetFetcher({ fetch }),
    });
    await Promise.all(Array.from({ length: 20 }, () => find(keySet, 'one')));
    expect(asked).toBe(1);
  });
});
