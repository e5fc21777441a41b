import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { ensureAnchorProgress } from '../../../src/audit-trail/data/anchors/anchor-progress-queries.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../../../src/platform/database/database.ts';
import { sealAll } from '../../support/audit/audit-signer.ts';
import { createTestDatabase } from '../../support/database/create-test-database.ts';
import type { StreamerOptions } from './stream-consumer.ts';
import { receiveByHttp, receiveByTls, type Receiver } from './stream-receivers.ts';

const KILLS = 20;
const EVENTS_A_TURN = 60;
const EVENTS = KILLS * EVENTS_A_TURN;

test(`a server that is killed ${KILLS} times streams every event at least once and in order`, async () => {
  await using portal = await createTestDatabase();
  await using http = await receiveByHttp();
  await using tls = await receiveByTls();
  const folder = await mkdtemp(join(tmpdir(), 'deviceportal-streamer-'));
  const options: StreamerOptions = {
    ...{ databaseUrl: portal.url, url: http.url, syslogUrl: tls.url, ca: tls.ca },
  };
  for (const sink of ['https', 'syslog'])
    await ensureAnchorProgress(portal.database.orm, `stream-${sink}`);
  try {
    const program = await bundle(folder);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const streamer = await start(program, options);
      const before = http.events.length;
      await record(portal.database);
      await sealAll(portal, 7);
      streamer.go();
      await expect.poll(() => http.events.length, { timeout: 60_000 }).toBeGreaterThan(before);
      // Between any two statements, in the middle of a request or a message.
      await sleep(Math.random() * 25);
      await streamer.kill();
    }
    const last = await start(program, options);
    last.go();
    await expect.poll(() => lastOf(http), { timeout: 60_000 }).toBe(EVENTS);
    await expect.poll(() => lastOf(tls), { timeout: 60_000 }).toBe(EVENTS);
    await last.kill();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const hashes = await leaves(portal.database);
  for (const { events } of [http, tls]) {
    const first = new Map<number, string>();
    for (const { sequence, hash } of events) {
      if (first.has(sequence)) continue;
      // In order: what is new follows what was sent before.
      expect(sequence).toBe(first.size + 1);
      first.set(sequence, hash);
    }
    expect([...first.values()]).toEqual(hashes);
  }
  // The walk is of no use if no kill fell between a delivery and its commit.
  expect(http.events.length + tls.events.length).toBeGreaterThan(2 * EVENTS);
}, 300_000);

const lastOf = ({ events }: Receiver): number => events.at(-1)?.sequence ?? 0;

async function record(database: Database): Promise<void> {
  const drafts = Array.from({ length: EVENTS_A_TURN }, (_, index) => ({
    ...{ type: 'device.created' as const, actor: systemActor, data: { index } },
  }));
  await inTransaction(database, (tx) => recordAudit(tx, drafts));
}

async function leaves({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ leaves: string }>(
    `select encode(leaves, 'hex') as leaves from audit_block order by number`,
  );
  return rows.flatMap(({ leaves: hex }) => hex.match(/.{64}/g) ?? []);
}

/** As one file, a process starts in a tenth of the time. */
async function bundle(folder: string): Promise<string> {
  await using build = await rolldown({
    input: join(import.meta.dirname, './stream-consumer.ts'),
    platform: 'node',
    external: ['pg-native'],
    logLevel: 'silent',
  });
  const file = join(folder, 'streamer.mjs');
  await build.write({ file, format: 'esm', codeSplitting: false });
  return file;
}

async function start(program: string, options: StreamerOptions) {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(program, '..') },
  });
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) });
  return {
    go: () => void child.stdin.write('go\n'),
    /** `kill -9`. */
    async kill() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
