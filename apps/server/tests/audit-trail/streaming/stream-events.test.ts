import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliverBlocks } from '../../../src/audit-trail/anchors/deliver-anchors.ts';
import {
  ensureAnchorProgress,
  readAnchorStates,
} from '../../../src/audit-trail/data/anchors/anchor-progress-queries.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { createHttpsSink } from '../../../src/audit-trail/streaming/https-sink.ts';
import type { StreamSink } from '../../../src/audit-trail/streaming/stream-sink.ts';
import { streamTarget } from '../../../src/audit-trail/streaming/stream-target.ts';
import { createSyslogSink } from '../../../src/audit-trail/streaming/syslog-sink.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { act, seedUser } from '../../personal-data/seeded-people.ts';
import { onlyHot, sealAll } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { receiveByHttp, receiveByTcp, receiveByTls } from './stream-receivers.ts';

let portal: TestDatabase;
let nowMs = 0;
const clock = (): Date => new Date(nowMs);

beforeEach(async () => {
  portal = await createTestDatabase();
  nowMs = Date.now() + 60_000;
});
afterEach(() => portal[Symbol.asyncDispose]());

async function record(notes: readonly string[]): Promise<void> {
  await inTransaction(portal.database, (tx) =>
    recordAudit(
      tx,
      notes.map((note) => ({ type: 'device.created', actor: systemActor, data: { note } })),
    ),
  );
}

const httpsSink = (url: string, more: Partial<Parameters<typeof createHttpsSink>[0]> = {}) =>
  createHttpsSink({
    ...{ url, format: 'ndjson', authorization: undefined, signingSecret: undefined, clock },
    ...more,
  });

/** Delivers until nothing is left or due. */
async function stream(sink: StreamSink, showsPeople = false): Promise<void> {
  const target = streamTarget({ ...onlyHot(portal), showsPeople }, sink, () => {});
  await ensureAnchorProgress(portal.database.orm, target.position);
  while ((await deliverBlocks({ ...portal, clock }, target)) > 0);
}

async function leaves(): Promise<string[]> {
  const { rows } = await portal.database.pool.query<{ leaves: string }>(
    `select encode(leaves, 'hex') as leaves from audit_block order by number`,
  );
  return rows.flatMap(({ leaves: hex }) => hex.match(/.{64}/g) ?? []);
}

test('every event arrives once, in order, with its number and its hash', async () => {
  await using receiver = await receiveByHttp();
  const notes = Array.from({ length: 25 }, (_, index) => `note ${index}: "é 设备" % \n`);
  await stream(httpsSink(receiver.url));
  await record(notes);
  await sealAll(portal, 10);
  await stream(httpsSink(receiver.url));
  expect(receiver.events.map(({ sequence }) => sequence)).toEqual(notes.map((_, n) => n + 1));
  expect(receiver.events.map(({ hash }) => hash)).toEqual(await leaves());
  expect(receiver.events.map(({ event }) => event?.data['note']).toSorted()).toEqual(
    notes.toSorted(),
  );
  expect(receiver.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
    '1-10',
    '11-20',
    '21-25',
  ]);
});

test('a request has the header and a signature of its time and body', async () => {
  await using receiver = await receiveByHttp();
  const signingSecret = 's'.repeat(32);
  await record(['one']);
  await sealAll(portal);
  await stream(
    httpsSink(receiver.url, { format: 'json', authorization: 'Splunk token', signingSecret }),
  );
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.requests;
  expect(headers).toMatchObject({
    authorization: 'Splunk token',
    'content-type': 'application/json',
  });
  const [, seconds, signature] = /^t=(\d+),v1=(.*)$/.exec(
    String(headers['x-deviceportal-signature']),
  ) ?? ['', '', ''];
  const expected = createHmac('sha256', signingSecret).update(`${seconds}.${body}`).digest('hex');
  expect(signature).toBe(expected);
});

test('a receiver that refuses or does not answer gets the same events later', async () => {
  await using receiver = await receiveByHttp();
  receiver.answers.push(200, 503);
  await stream(httpsSink(receiver.url));
  await record(['one', 'two']);
  await sealAll(portal, 1);
  await stream(httpsSink(receiver.url));
  const [state] = await readAnchorStates(portal.database.orm, ['stream-https']);
  expect(state).toMatchObject({ delivered: 1, error: 'the receiver answered 503' });
  // Not before its time.
  await stream(httpsSink(receiver.url));
  expect(receiver.events).toHaveLength(1);
  nowMs += 2_000;
  await stream(httpsSink(receiver.url));
  expect(receiver.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('large events are sent in requests of their own', async () => {
  await using receiver = await receiveByHttp();
  await record(['small', 'x'.repeat(700_000), 'y'.repeat(700_000), 'small']);
  await sealAll(portal);
  await stream(httpsSink(receiver.url));
  expect(receiver.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(receiver.requests.length).toBeGreaterThan(1);
  for (const { body } of receiver.requests) expect(body.length).toBeLessThan(1_100_000);
});

test('names and addresses of people are streamed only if the setting says so', async () => {
  await using receiver = await receiveByHttp();
  const maria = await seedUser(portal.database, 'maria@example.com');
  await act(portal.database, maria, { username: 'maria@example.com' });
  await sealAll(portal);
  await stream(httpsSink(receiver.url));
  expect(JSON.stringify(receiver.events)).not.toMatch(/aria@|192\.0\.2|sealed:/);
  expect(receiver.events[0]?.event?.actor).toMatchObject({ id: maria.id, name: 'm•••' });
  await act(portal.database, maria, { username: 'maria@example.com' });
  await sealAll(portal);
  await stream(httpsSink(receiver.url), true);
  expect(receiver.events.at(-1)?.event).toMatchObject({
    actor: { name: 'maria@example.com', address: '192.0.2.77' },
    data: { username: 'maria@example.com' },
  });
});

const SYSLOG =
  /^<109>1 \d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z \S+ device-portal \d+ audit-event - \{"sequence":\d/;

test('events arrive by syslog over TCP with their lengths', async () => {
  await using receiver = await receiveByTcp();
  await record(['one\ntwo', '设备']);
  await sealAll(portal);
  await stream(createSyslogSink({ url: receiver.url, ca: undefined }));
  for (const message of receiver.messages) expect(message).toMatch(SYSLOG);
  expect(receiver.events.map(({ hash }) => hash)).toEqual(await leaves());
  const notes = receiver.events.map(({ event }) => event?.data['note']);
  expect(notes.toSorted()).toEqual(['one\ntwo', '设备']);
});

test('over TLS, events are sent only to a receiver with a trusted certificate', async () => {
  await using receiver = await receiveByTls();
  await record(['one']);
  await sealAll(portal);
  await stream(createSyslogSink({ url: receiver.url, ca: undefined }));
  expect(receiver.events).toEqual([]);
  nowMs += 10_000;
  await stream(createSyslogSink({ url: receiver.url, ca: receiver.ca }));
  await expect.poll(() => receiver.events.length).toBe(1);
});

test('an event that was deleted before its delivery arrives as its number and hash', async () => {
  await using receiver = await receiveByHttp();
  await record(['one']);
  await sealAll(portal);
  const target = { ...onlyHot(portal), showsPeople: false };
  const [id] = (await portal.database.pool.query<{ id: string }>('select id from audit_event'))
    .rows;
  await portal.owner.pool.query('alter table audit_event disable trigger all');
  await portal.owner.pool.query('delete from audit_event where id = $1', [id?.id]);
  const gone = streamTarget(target, httpsSink(receiver.url), () => {});
  await ensureAnchorProgress(portal.database.orm, gone.position);
  expect(await deliverBlocks({ ...portal, clock }, gone)).toBe(1);
  expect(receiver.events).toEqual([
    { sequence: 1, hash: (await leaves())[0], block: 1, id: id?.id, event: null },
  ]);
});
