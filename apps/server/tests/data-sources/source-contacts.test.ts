import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Registry } from 'prom-client';
import { ContactLog } from '../../src/data-sources/contact-log.ts';
import { deleteContacts, recordContacts } from '../../src/data-sources/data/contact-queries.ts';
import { listDataSources } from '../../src/data-sources/list-data-sources.ts';
import { measureDataSources } from '../../src/data-sources/source-metrics.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/events';
const { dataSources } = readConfig({
  argv: [],
  env: { DEVICEPORTAL_AUDIT_TRAIL_QUEUE: QUEUE },
  workingDir: '/srv',
});
const clock = (): Date => new Date();
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const deps = () => ({ database: db.database, clock, dataSources });
const readQueue = async () =>
  (await listDataSources(deps())).find(({ source }) => source === 'audit-trail-queue');

test('the state of a queue is that of the server for which it fails, until that one recovers or ends', async () => {
  expect(await readQueue()).toMatchObject({ state: 'unused', calls: null });
  const servers = [0, 1].map((index) => ({ id: randomUUID(), name: `server-${index}` }));
  const logs = servers.map(() => new ContactLog(dataSources, clock));
  const report = async (): Promise<void> => {
    for (const [index, server] of servers.entries()) {
      await recordContacts(db.database.orm, server, logs[index]?.read() ?? []);
    }
  };
  logs[0]?.answered('audit-trail-queue');
  logs[0]?.delayed('audit-trail-queue', 2_000);
  logs[0]?.waiting('audit-trail-queue', 7);
  // A source of this installation is not recorded.
  logs[0]?.answered('parameters');
  await report();
  expect(await readQueue()).toMatchObject({
    ...{ state: 'working', fault: null, calls: { count: 1, failedCount: 0 } },
    systems: [{ product: 'Amazon SQS', name: QUEUE }],
    incoming: { delayMs: 2_000, waitingCount: 7 },
  });

  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
  logs[1]?.failed('audit-trail-queue', denied);
  await report();
  const since = (await readQueue())?.fault?.since;
  logs[1]?.failed('audit-trail-queue', denied);
  await report();
  expect(await readQueue()).toMatchObject({
    state: 'failing',
    fault: { since, reason: 'access-denied', server: 'server-1' },
    calls: { count: 3, failedCount: 2 },
  });

  await deleteContacts(db.database.orm, servers[1]?.id ?? '');
  expect(await readQueue()).toMatchObject({ state: 'working', fault: null });
  await deleteContacts(db.database.orm, servers[0]?.id ?? '');
});

test('delay, backlog, and faults are metrics', async () => {
  const registry = new Registry();
  measureDataSources({ registry }, deps());
  const log = new ContactLog(dataSources, clock);
  log.failed('audit-trail-queue', new Error('connect ECONNREFUSED'));
  log.delayed('audit-trail-queue', 90_000);
  log.waiting('audit-trail-queue', 12);
  await recordContacts(db.database.orm, { id: randomUUID(), name: 'server' }, log.read());
  const text = await registry.metrics();
  const labels = 'source="audit-trail-queue",direction="in"';
  expect(text).toContain(`deviceportal_data_source_delay_seconds{${labels}} 90`);
  expect(text).toContain(`deviceportal_data_source_waiting{${labels}} 12`);
  expect(text).toContain('deviceportal_data_source_failing{source="audit-trail-queue"} 1');
  expect(text).not.toContain('source="database"');
});
