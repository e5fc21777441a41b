import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { upTopic, type UpChannel } from '@deviceportal/device-protocol/topics';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startElasticMq } from '../../../../packages/aws/tests/parts/start-elasticmq.ts';
import {
  createTestQueue,
  type TestQueue,
} from '../../../../packages/aws/tests/parts/test-queue.ts';
import { QueueConsumer } from '../../src/gateway/queue/queue-consumer.ts';
import type { QueueOutcome } from '../../src/gateway/gateway-dependencies.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, seedDevices, until } from '../support/gateway-fixture.ts';
import { openIngest } from './open-ingest.ts';

const DEVICES = 10;
const MESSAGES = 12;

let database: TestDatabase;
let part: RunningPart;
let queue: TestQueue;

interface TestDevice {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly epoch: string;
}

async function addDevice(): Promise<TestDevice> {
  const device = { deviceId: newId(), instanceId: newInstanceId(), epoch: randomUUID() };
  await seedDevices(database.database, [{ ...device, name: 'queued' }]);
  return device;
}

const queued = (deviceId: string, payload: unknown, channel: UpChannel = 'journal'): string =>
  JSON.stringify({
    topic: upTopic(deviceId, channel),
    payload: Buffer.from(JSON.stringify(payload)).toString('base64'),
  });

function journalMessage({ deviceId, instanceId, epoch }: TestDevice, seq: number): string {
  const at = new Date().toISOString();
  const entry = { seq, at, kind: 'event', type: 'tick', data: { number: seq } };
  return queued(deviceId, { instanceId, epoch, oldest: 1, entries: [entry] });
}

interface Receiving extends AsyncDisposable {
  readonly outcomes: QueueOutcome[];
  readonly ages: number[];
}

/** The part of a gateway that a queue needs. */
async function openReceiving(): Promise<Receiving> {
  const { createSqsQueue } = await loadAws('sqs-queue', 'test');
  const outcomes: QueueOutcome[] = [];
  const ages: number[] = [];
  const meter = {
    journalEntries() {},
    heartbeats() {},
    refused() {},
    overLimit() {},
    storedSamples() {},
    skippedSamples() {},
    queued: (outcome: QueueOutcome) => void outcomes.push(outcome),
    dropped() {},
  };
  const messages = createSqsQueue({ ...part, url: queue.url });
  const consumer = new QueueConsumer(
    { messages, maxMessageBytes: 100_000, onAge: (ageMs) => void ages.push(ageMs) },
    { logger: quietLogger, meter },
  );
  const journal = openIngest(database.database);
  consumer.start({ journal: (message) => journal.take(message), others: undefined });
  return {
    ...{ outcomes, ages },
    async [Symbol.asyncDispose]() {
      consumer.stop();
      await journal[Symbol.asyncDispose]();
      await consumer[Symbol.asyncDispose]();
    },
  };
}

async function numbersOf({ deviceId }: TestDevice): Promise<number[]> {
  const rows = await rowsOf<{ number: number }>(
    database.database,
    `select (data->>'number')::int as number from audit_event
      where device_id = $1 and type = 'device-event.tick' order by id`,
    [deviceId],
  );
  return rows.map(({ number }) => number);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

describe.skipIf(lacks('ElasticMQ'))('journals by a queue', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    part = await startElasticMq();
  });
  afterAll(async () => {
    await part[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    queue = await createTestQueue(part);
  });

  test('[device-queue-1] shuffled and doubled, with a server that stops in between: each entry is committed once, in order', async () => {
    const devices = await Promise.all(Array.from({ length: DEVICES }, addDevice));
    const all = devices.flatMap((device) =>
      upTo(MESSAGES).map((seq) => journalMessage(device, seq)),
    );
    await queue.send(shuffled([...all, ...all]));
    const first = await openReceiving();
    await using _second = await openReceiving();
    await until(() => first.outcomes.includes('committed'), 30_000);
    await first[Symbol.asyncDispose]();
    await until(async () => {
      const { waiting, received } = await queue.count();
      return waiting + received === 0;
    }, 60_000);
    for (const device of devices) expect(await numbersOf(device)).toEqual(upTo(MESSAGES));
  });

  test('[device-queue-2] a message stays in the queue until the earlier entries of its device arrive', async () => {
    const device = await addDevice();
    await queue.send([journalMessage(device, 2)]);
    await using receiving = await openReceiving();
    await until(() => receiving.outcomes.includes('deferred'), 30_000);
    expect(await numbersOf(device)).toEqual([]);
    await queue.send([journalMessage(device, 1)]);
    await until(async () => (await numbersOf(device)).length === 2, 30_000);
    expect(await numbersOf(device)).toEqual([1, 2]);
  });

  test('[device-queue-3] another device’s instance, and what is not a journal, are removed as rejected; what no device sends stays', async () => {
    const [device, victim] = [await addDevice(), await addDevice()];
    await queue.send([
      journalMessage({ ...victim, deviceId: device.deviceId }, 1),
      queued(device.deviceId, { entries: 'x' }),
      'not JSON',
      queued(device.deviceId, {}, 'status'),
      JSON.stringify({ topic: 'elsewhere', payload: 'e30=' }),
      JSON.stringify({ topic: upTopic(device.deviceId, 'journal'), payload: '!' }),
      queued(device.deviceId, 'x'.repeat(100_000)),
    ]);
    await using receiving = await openReceiving();
    await until(() => receiving.outcomes.length === 7, 30_000);
    const counts = Object.groupBy(receiving.outcomes, (outcome) => outcome);
    expect(counts.refused).toHaveLength(2);
    expect(counts.unreadable).toHaveLength(5);
    await until(async () => (await queue.count()).received === 5, 10_000);
    expect(await numbersOf(victim)).toEqual([]);
  });

  test('[device-queue-4] the time that messages waited in the queue is measured', async () => {
    const device = await addDevice();
    await queue.send([journalMessage(device, 1)]);
    const sentMs = Date.now();
    await until(() => Date.now() - sentMs >= 100, 10_000);
    const { createSqsQueue } = await loadAws('sqs-queue', 'test');
    expect(await createSqsQueue({ ...part, url: queue.url }).describe()).toEqual({
      ...{ hasDeadLetters: false, waiting: 1 },
    });
    await using receiving = await openReceiving();
    await until(() => receiving.outcomes.length === 1, 30_000);
    expect(Math.max(...receiving.ages)).toBeGreaterThanOrEqual(100);
  });
});
