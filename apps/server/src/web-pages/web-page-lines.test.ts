import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  WEB_PAGE_CHUNK_BYTES,
  type WebPageDown,
  type WebStreamMessage,
} from '@deviceportal/device-protocol/web-page-message';
import { createLocalChangeFeed, type Change } from '../platform/change-feed.ts';
import { toPayloads } from '../platform/shared-change-feed.ts';
import { WebPageSender } from './web-page-lines.ts';

const [deviceId, session, stream] = [newId(), newId(), newId()];
const dataOf = (bytes: Uint8Array, offset = 0): Extract<WebStreamMessage, { kind: 'data' }> => ({
  ...{ kind: 'data', session, stream, offset },
  data: Buffer.from(bytes).toString('base64'),
});

/** Two servers, of which one serves devices, and what goes through the feed of their database. */
function openServers(): {
  readonly gateway: WebPageSender;
  readonly web: WebPageSender;
  readonly passed: Change[];
  readonly sent: WebPageDown[];
} {
  const changes = createLocalChangeFeed((error) => {
    throw error;
  });
  const passed: Change[] = [];
  const sent: WebPageDown[] = [];
  changes.subscribe((change) => void passed.push(change));
  const [gateway, web] = [new WebPageSender(changes), new WebPageSender(changes)];
  gateway.connect((messages) =>
    sent.push(...messages.map(({ payload }) => JSON.parse(payload) as WebPageDown)),
  );
  return { gateway, web, passed, sent };
}

test('the largest message of a device reaches the server of the browser in notifications that fit', () => {
  const { gateway, web, passed } = openServers();
  const taken: WebStreamMessage[] = [];
  using _listening = web.listen({ deviceId, session, stream }, (message) => taken.push(message));
  const bytes = randomBytes(WEB_PAGE_CHUNK_BYTES);
  gateway.deliver(deviceId, dataOf(bytes, 1_000));
  const parts = taken.flatMap((message) => (message.kind === 'data' ? [message] : []));
  expect(Buffer.concat(parts.map(({ data }) => Buffer.from(data, 'base64')))).toEqual(bytes);
  expect(parts.map(({ offset }) => offset - 1_000)).toEqual([0, 4_096, 8_192, 12_288]);
  for (const change of passed) expect(toPayloads(newId(), [change])).toHaveLength(1);
});

test('the largest message to a device reaches the server of the device in a notification that fits', () => {
  const { web, passed, sent } = openServers();
  const message = dataOf(randomBytes(web.chunkBytes));
  web.send(deviceId, message);
  expect(sent).toEqual([message]);
  for (const change of passed) expect(toPayloads(newId(), [change])).toHaveLength(1);
});

test('what another device sends for the same stream is not taken', () => {
  const { gateway, web } = openServers();
  const taken: WebStreamMessage[] = [];
  using _here = gateway.listen({ deviceId, session, stream }, (message) => taken.push(message));
  using _there = web.listen({ deviceId, session, stream }, (message) => taken.push(message));
  gateway.deliver(newId(), dataOf(randomBytes(10)));
  expect(taken).toEqual([]);
});

test('a device that repeats a message of an ended stream learns that it has ended', () => {
  const { gateway, sent } = openServers();
  gateway.listen({ deviceId, session, stream }, () => {})[Symbol.dispose]();
  gateway.deliver(deviceId, dataOf(randomBytes(10)));
  expect(sent).toEqual([{ kind: 'reset', session, stream }]);
});
