import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { bodyFrames, endFrame, headFrame } from '@deviceportal/device-protocol/web-frames';
import {
  WEB_PAGE_CHUNK_BYTES,
  WEB_PAGE_WINDOW_BYTES,
  type WebPageDown,
} from '@deviceportal/device-protocol/web-page-message';
import { createLocalChangeFeed } from '../../platform/change-feed.ts';
import { WebPageSender } from '../web-page-lines.ts';
import { PageExchange } from './page-exchange.ts';

const deviceId = newId();
const session = newId();

/** A request of a browser, and a way to answer it as a device that does what it wants. */
async function openExchange(): Promise<{
  readonly response: ServerResponse;
  readonly exchange: PageExchange;
  /** Everything that the browser receives. */
  readonly read: () => Promise<string>;
  readonly answer: (bytes: Uint8Array) => void;
}> {
  const lines = new WebPageSender(createLocalChangeFeed(() => {}));
  const sent: WebPageDown[] = [];
  lines.connect((messages) =>
    sent.push(...messages.map(({ payload }) => JSON.parse(payload) as WebPageDown)),
  );
  const opened =
    Promise.withResolvers<
      Pick<Awaited<ReturnType<typeof openExchange>>, 'response' | 'exchange'>
    >();
  const server = createServer((request, response) => {
    const head = { method: 'GET', target: '/', headers: [], bodyBytes: 0 } as const;
    const options = { session, deviceId, port: 80, origin: 'http://a.localhost', lines };
    const exchange = new PageExchange(request, response, {
      ...options,
      head: { ...head, headers: [] },
      onBytes: () => {},
    });
    opened.resolve({ response, exchange });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = connect((server.address() as AddressInfo).port, '127.0.0.1');
  browser.on('error', () => {});
  browser.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  onTestFinished(() => {
    browser.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { response, exchange } = await opened.promise;
  const [first] = sent.flatMap((message) => ('stream' in message ? [message.stream] : []));
  let offset = 0;
  return {
    ...{ response, exchange },
    async read() {
      let text = '';
      for await (const bytes of browser as AsyncIterable<Buffer>) text += bytes.toString('latin1');
      return text;
    },
    answer(bytes) {
      const data = Buffer.from(bytes).toString('base64');
      lines.deliver(deviceId, { kind: 'data', session, stream: first ?? '', offset, data });
      offset += bytes.length;
    },
  };
}

test('a device that ignores the window does not fill the memory for a browser that does not read', async () => {
  const { response, answer, exchange } = await openExchange();
  answer(headFrame({ status: 200, headers: [] }));
  const [frame = new Uint8Array()] = bodyFrames(new Uint8Array(WEB_PAGE_CHUNK_BYTES - 5));
  let most = 0;
  for (let count = 0; count < 2_000; count++) {
    answer(frame);
    most = Math.max(most, response.writableLength);
  }
  expect(most).toBeLessThan(2 * WEB_PAGE_WINDOW_BYTES);
  exchange.abort();
});

test('a response is never longer than its head says', async () => {
  const { answer, read } = await openExchange();
  answer(headFrame({ status: 200, headers: [['content-length', '2']] }));
  for (const frame of bodyFrames(Buffer.from('okHTTP/1.1 200 OK\r\n\r\nforged'))) answer(frame);
  answer(endFrame());
  const text = await read();
  expect(text.endsWith('\r\n\r\nok')).toBe(true);
});

test('a response that is shorter than its head says fails', async () => {
  const { answer, exchange } = await openExchange();
  answer(headFrame({ status: 200, headers: [['content-length', '20']] }));
  for (const frame of bodyFrames(Buffer.from('short'))) answer(frame);
  answer(endFrame());
  expect(await exchange.done).toBe('broken');
});

test.each([
  ['a status that is none', { status: 101, headers: [] }],
  ['a line break in a header', { status: 200, headers: [['x', 'a\r\nset-cookie: forged=1']] }],
])('a head with %s fails before anything is written', async (_what, head) => {
  const { answer, exchange, response } = await openExchange();
  answer(headFrame(head as Parameters<typeof headFrame>[0]));
  expect(await exchange.done).toBe('broken');
  expect(response.headersSent).toBe(false);
});
