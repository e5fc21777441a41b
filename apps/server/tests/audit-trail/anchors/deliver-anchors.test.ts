import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAnchorStates } from '../../../src/audit-trail/data/anchors/anchor-progress-queries.ts';
import { positionOf, type AnchorTarget } from '../../../src/audit-trail/anchors/anchor-target.ts';
import { beginAnchor } from '../../../src/audit-trail/anchors/begin-anchor.ts';
import { deliverAnchors } from '../../../src/audit-trail/anchors/deliver-anchors.ts';
import { createFileAnchor } from '../../../src/audit-trail/anchors/file-anchor.ts';
import { createSyslogAnchor } from '../../../src/audit-trail/anchors/syslog-anchor.ts';
import { createTsaAnchor } from '../../../src/audit-trail/anchors/tsa-anchor.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { sealAll } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { startOpensslTsa } from '../../support/audit/openssl-tsa.ts';

let test: TestDatabase;
let dir = '';
let nowMs = Date.now();
const clock = (): Date => new Date(nowMs);

beforeEach(async () => {
  test = await createTestDatabase();
  dir = await mkdtemp(join(tmpdir(), 'dp-anchors-'));
  nowMs = Date.now() + 60_000;
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** Makes blocks of one event. */
async function seal(blocks: number): Promise<void> {
  for (let index = 0; index < blocks; index += 1) {
    await inTransaction(test.database, (tx) =>
      recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
    );
    await sealAll(test);
  }
}

async function hashes(): Promise<string[]> {
  const { rows } = await test.database.pool.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from audit_block order by number`,
  );
  return rows.map(({ hash }) => hash);
}

const deliver = (target: AnchorTarget) => deliverAnchors({ ...test, clock }, target);
const begin = (target: AnchorTarget) => beginAnchor(test.database.orm, target);
const stateOf = async (target: AnchorTarget) =>
  (await readAnchorStates(test.database.orm, [positionOf(target)]))[0];

it('each block is appended to the file once, in order, beginning with the newest', async () => {
  const path = join(dir, 'anchors.jsonl');
  const target = createFileAnchor(path);
  await seal(2);
  await begin(target);
  expect(await deliver(target)).toBe(1);
  await seal(3);
  expect(await deliver(target)).toBe(3);
  expect(await deliver(target)).toBe(0);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { hash: string }).hash)).toEqual(
    (await hashes()).slice(1),
  );
});

it('[anchor-2] sealing continues while the file cannot be written, and all blocks are delivered later', async () => {
  const path = join(dir, 'missing', 'anchors.jsonl');
  const target = createFileAnchor(path);
  await begin(target);
  await seal(2);
  expect(await deliver(target)).toBe(0);
  expect(await stateOf(target)).toMatchObject({
    delivered: 0,
    error: expect.stringContaining('ENOENT'),
  });
  await seal(1);
  await mkdir(join(dir, 'missing'));
  // Not before its time.
  expect(await deliver(target)).toBe(0);
  nowMs += 2_000;
  expect(await deliver(target)).toBe(3);
  expect(await stateOf(target)).toMatchObject({ delivered: 3, error: null, waitingSince: null });
});

it('a truncated file is recorded, and delivery continues after an incomplete line', async () => {
  const path = join(dir, 'anchors.jsonl');
  const target = createFileAnchor(path);
  await begin(target);
  await seal(3);
  await deliver(target);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, text.indexOf('\n') + 20));
  await seal(1);
  expect(await deliver(target)).toBe(1);
  const { rows } = await test.database.pool.query<{ data: object }>(
    `select data from audit_event where type = 'audit-trail.anchor-cut'`,
  );
  expect(rows).toEqual([{ data: { target: 'file', endedAt: 1, expected: 3 } }]);
  const last = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
  expect((JSON.parse(last) as { number: number }).number).toBe(4);
});

it('every server delivers all blocks to a file of its own, and neither file counts as truncated', async () => {
  const paths = [join(dir, 'one.jsonl'), join(dir, 'two.jsonl')] as const;
  const targets = paths.map((path) => createFileAnchor(path));
  await seal(1);
  for (const target of targets) await begin(target);
  for (let round = 0; round < 3; round += 1) {
    await seal(2);
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) await deliver(target);
  }
  const files = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  expect(files[1]).toBe(files[0]);
  expect(files[0]?.trimEnd().split('\n')).toHaveLength(7);
  const { rowCount } = await test.database.pool.query(
    `select from audit_event where type = 'audit-trail.anchor-cut'`,
  );
  expect(rowCount).toBe(0);
  const states = await readAnchorStates(test.database.orm, ['file']);
  expect(states).toMatchObject([{ target: 'file', delivered: 7, waitingSince: null }]);
});

it('a server that has a file from before continues after its last block', async () => {
  const path = join(dir, 'anchors.jsonl');
  await seal(1);
  await begin(createFileAnchor(path));
  await deliver(createFileAnchor(path));
  await seal(3);
  // Another host name, as of a new container with the same volume.
  const target = { ...createFileAnchor(path), position: `file@other:${path}` };
  await begin(target);
  expect(await deliver(target)).toBe(3);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([
    1, 2, 3, 4,
  ]);
});

/** Frames of RFC 6587: a length, a space, the message. */
function framesOf(bytes: Buffer): string[] {
  const frames: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, space));
    frames.push(bytes.toString('utf8', space + 1, space + 1 + length));
    at = space + 1 + length;
  }
  return frames;
}

async function listen(server: Server, received: Buffer[]): Promise<number> {
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => received.push(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const SYSLOG =
  /^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ device-portal \d+ audit-block - \{"kind":"block","number":(\d+),/;

it('[anchor-4] blocks are delivered to syslog over TCP, and later if the receiver is unavailable', async () => {
  const received: Buffer[] = [];
  const server = createServer();
  const port = await listen(server, received);
  const target = createSyslogAnchor({ url: `tcp://127.0.0.1:${port}`, ca: undefined });
  await begin(target);
  await seal(2);
  expect(await deliver(target)).toBe(2);
  expect(framesOf(Buffer.concat(received)).map((frame) => SYSLOG.exec(frame)?.[1])).toEqual([
    '1',
    '2',
  ]);
  server.close();
  await seal(1);
  expect(await deliver(target)).toBe(0);
  expect(await stateOf(target)).toMatchObject({
    delivered: 2,
    error: expect.stringContaining('ECONNREFUSED'),
  });
});

it('blocks are delivered to syslog over UDP', async () => {
  const socket = createSocket('udp4');
  const received: string[] = [];
  socket.on('message', (message) => received.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const target = createSyslogAnchor({
    url: `udp://127.0.0.1:${socket.address().port}`,
    ca: undefined,
  });
  await begin(target);
  await seal(2);
  expect(await deliver(target)).toBe(2);
  await expect.poll(() => received.length).toBe(2);
  expect(received.map((message) => SYSLOG.exec(message)?.[1])).toEqual(['1', '2']);
  socket.close();
});

it('[anchor-6] over TLS, blocks are delivered only to a receiver with a trusted certificate', async () => {
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
  ]);
  const received: Buffer[] = [];
  const server = createTlsServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (socket) => {
      socket.on('data', (data) => received.push(data));
      socket.on('error', () => {});
    },
  );
  server.on('tlsClientError', () => {});
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const url = `tls://localhost:${(server.address() as AddressInfo).port}`;
  const strange = createSyslogAnchor({ url, ca: undefined });
  await begin(strange);
  await seal(1);
  expect(await deliver(strange)).toBe(0);
  expect(received).toEqual([]);
  nowMs += 10_000;
  expect(await deliver(createSyslogAnchor({ url, ca: await readFile(cert, 'utf8') }))).toBe(1);
  await expect.poll(() => framesOf(Buffer.concat(received)).length).toBe(1);
  server.close();
});

it('the newest block is stamped at each interval, and sealing continues while the authority is unavailable', async () => {
  await using tsa = await startOpensslTsa();
  const file = join(dir, 'anchors.jsonl');
  const target = createTsaAnchor({ url: tsa.url, roots: tsa.roots, everyMs: 300_000, file });
  await begin(target);
  await seal(3);
  expect(await deliver(target)).toBe(1);
  await seal(2);
  expect(await deliver(target)).toBe(0);
  nowMs += 301_000;
  tsa.isUp = false;
  expect(await deliver(target)).toBe(0);
  expect(await stateOf(target)).toMatchObject({
    delivered: 3,
    error: expect.stringContaining('503'),
  });
  await seal(1);
  tsa.isUp = true;
  nowMs += 2_000;
  expect(await deliver(target)).toBe(1);
  const { rows } = await test.database.pool.query(
    'select block from audit_time_stamp order by block',
  );
  expect(rows).toEqual([{ block: 3 }, { block: 6 }]);
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
});
