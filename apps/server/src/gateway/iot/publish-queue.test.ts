import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { IotPublisher } from '../../platform/aws/aws-package.ts';
import { PublishQueue } from './publish-queue.ts';

const logger = { info() {}, warn() {}, error() {} };
const message = (topic: string, payload = '{}') => ({ topic, payload, qos: 1 as const });

/** Calls that end when the test says so. */
function heldPublisher() {
  const topics: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const publish: IotPublisher['publish'] = ({ topic }) => {
    topics.push(topic);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { topics, ends, publisher: { publish } };
}

test('sends so many messages at once, and the others in their order', async () => {
  const { topics, ends, publisher } = heldPublisher();
  const limits = { concurrency: 2, waitingMessages: 10, waitingCharacters: 1_000 };
  const queue = new PublishQueue({ publisher, logger, limits, onDropped() {} });
  for (const topic of ['a', 'b', 'c', 'd']) queue.add(message(topic));
  expect(topics).toEqual(['a', 'b']);
  ends[1]?.resolve();
  await nextTurn();
  expect(topics).toEqual(['a', 'b', 'c']);
  ends[0]?.reject(new Error('throttled too often'));
  await nextTurn();
  expect(topics).toEqual(['a', 'b', 'c', 'd']);
});

test.each([
  ['messages', { waitingMessages: 2, waitingCharacters: 1_000 }, 2],
  ['characters', { waitingMessages: 100, waitingCharacters: 10 }, 1],
])('drops what exceeds the limit of waiting %s', async (_what, limits, waiting) => {
  const { topics, ends, publisher } = heldPublisher();
  let dropped = 0;
  const queue = new PublishQueue({
    ...{ publisher, logger, limits: { concurrency: 1, ...limits } },
    onDropped: () => void (dropped += 1),
  });
  for (let index = 0; index < 10; index += 1) queue.add(message('t', 'x'.repeat(10)));
  expect(dropped).toBe(9 - waiting);
  for (let sent = 0; sent < 1 + waiting; sent += 1) {
    ends[sent]?.resolve();
    await nextTurn();
  }
  expect(topics).toHaveLength(1 + waiting);
});

test('sends nothing more when it is disposed', async () => {
  const { topics, ends, publisher } = heldPublisher();
  const limits = { concurrency: 1, waitingMessages: 10, waitingCharacters: 1_000 };
  const queue = new PublishQueue({ publisher, logger, limits, onDropped() {} });
  queue.add(message('a'));
  queue.add(message('b'));
  const disposed = queue[Symbol.asyncDispose]();
  ends[0]?.resolve();
  await disposed;
  expect(topics).toEqual(['a']);
});
