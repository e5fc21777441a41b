import { expect, test, vi } from 'vitest';
import { AuthenticationClient, createMemoryStorage } from '../src/index.ts';
import { createFakeSockets, type SocketReply } from './support/fake-socket.ts';
import { createQuickClock } from './support/quick-clock.ts';
import { vectorCases } from './support/vector-case.ts';

interface Heard {
  readonly client: AuthenticationClient;
  readonly sockets: ReturnType<typeof createFakeSockets>;
  readonly messages: string[];
  readonly errors: string[];
}

function listen(replies: readonly SocketReply[], retryTimes = 5): Heard {
  const clock = createQuickClock();
  const sockets = createFakeSockets(clock, replies);
  const options = { appId: 'app-1', appHost: 'http://provider.example', retryTimes, clock };
  const client = new AuthenticationClient({
    ...{ ...options, token: 'user-token-1', storage: createMemoryStorage() },
    WebSocket: sockets.WebSocket,
  });
  const messages: string[] = [];
  const errors: string[] = [];
  client.event.sub(
    'my.event',
    (data) => messages.push(data),
    (message) => errors.push(message),
  );
  return { client, sockets, messages, errors };
}

/** The connections that were recorded for a case. */
function recordedQueries(id: string): readonly unknown[] {
  const entry = vectorCases.find((found) => found.id === id);
  const requests = entry?.exchanges?.map(({ request }) => request) ?? [entry?.expectedRequest];
  return requests.map((request) => request?.query);
}

function queriesOf({ sockets }: Heard): readonly unknown[] {
  return sockets.urls.map((url) => Object.fromEntries(new URL(url).searchParams));
}

test('browser.event.secondSubscriberLater: both subscribers share one connection', async () => {
  const heard = listen([{ messages: [{ afterMs: 600, data: 'm1' }] }]);
  const later: string[] = [];
  heard.client.event.sub('my.event', (data) => later.push(data));
  await vi.waitFor(() => expect([heard.messages, later]).toEqual([['m1'], ['m1']]));
  expect(queriesOf(heard)).toEqual(recordedQueries('browser.event.secondSubscriberLater'));
});

test('browser.event.closeThenReconnect: reopens a lost connection after 2 s', async () => {
  const heard = listen([{ closeAfterMs: 100 }, { messages: [{ afterMs: 100, data: 'again' }] }]);
  await vi.waitFor(() => expect(heard.messages).toEqual(['again']));
  expect(heard.sockets.times).toEqual([0, 2_100]);
  expect(queriesOf(heard)).toEqual(recordedQueries('browser.event.closeThenReconnect'));
});

test.each([
  ['browser.event.alwaysRejected2', 2],
  ['browser.event.alwaysRejectedDefault', 5],
])('%s: notifies the subscriber after all retries, and only then', async (id, retryTimes) => {
  const heard = listen([{ reject: 401 }], retryTimes);
  await vi.waitFor(() => expect(heard.errors).toEqual(['socket 服务器连接超时']));
  expect(queriesOf(heard)).toEqual(recordedQueries(id));
  expect(heard.sockets.times).toEqual(
    Array.from({ length: retryTimes + 1 }, (_, index) => index * 2_000),
  );
});

test('browser.event.flapping2: counts short-lived connections as failures', async () => {
  const heard = listen([{ closeAfterMs: 100 }], 2);
  await vi.waitFor(() => expect(heard.errors).toHaveLength(1));
  expect(queriesOf(heard)).toEqual(recordedQueries('browser.event.flapping2'));
});

test('browser.event.binaryFrame: delivers a non-text frame as its type name', async () => {
  const heard = listen([{ messages: [{ afterMs: 50, data: new Blob(['bin']) }] }]);
  await vi.waitFor(() => expect(heard.messages).toEqual(['[object Blob]']));
  expect(queriesOf(heard)).toEqual(recordedQueries('browser.event.binaryFrame'));
});

test('stops delivering to an ended subscription, and closes the connection with the last one', async () => {
  const heard = listen([{ messages: [{ afterMs: 600, data: 'm1' }] }]);
  const later: string[] = [];
  const stop = heard.client.event.sub('my.event', (data) => later.push(data));
  stop();
  await vi.waitFor(() => expect(heard.messages).toEqual(['m1']));
  expect(later).toEqual([]);
});
