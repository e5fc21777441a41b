import { parseArgs } from 'node:util';
import { blockHash, GENESIS_HASH, type AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { leafHash, type RecordValues } from '@deviceportal/audit-proof/audit-record';
import { ChainCheck } from '@deviceportal/audit-proof/chain-check';
import { toHex } from '@deviceportal/audit-proof/hashing';
import { merkleRoot } from '@deviceportal/audit-proof/merkle-tree';
import { newId } from '@deviceportal/contract/ids';
import { proofTools } from '../../apps/server/src/audit-trail/export/proof-tools.ts';
import { listAuditEvents } from '../../apps/server/src/audit-trail/list-audit-events.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { AUDIT_DEVICES, auditAsks } from './audit-asks.ts';
import { openBenchDatabase, openTempDir } from '../device-fixture.ts';
import { percentile } from '../support/portal-process.ts';
import { administrator } from '../support/administrator.ts';

const SEARCH_LIMIT_MS = 100;
const VERIFY_LIMIT_PER_SECOND = 300_000;
const ASKED_OF_EACH = 40;
const BLOCK_EVENTS = 500;
const VERIFIED = 300_000;

/** Searches a generated trail and verifies a chain. Use `--size 2000000` for a faster run. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: 'string', default: '10000000' } } });
  const size = Number(values.size);
  await using resources = new AsyncDisposableStack();
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  const startedMs = performance.now();
  await fill(database, size);
  const filledS = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${size.toLocaleString('en')} events (filled in ${filledS} s)`);
  const worst = await measureSearch(database);
  const searchRatio = worst / SEARCH_LIMIT_MS;
  console.log(
    `search: worst p99 ${worst.toFixed(1)} ms, ratio to ${SEARCH_LIMIT_MS} ms: ${searchRatio.toFixed(2)}`,
  );
  const perSecond = measureCheck();
  const checkRatio = VERIFY_LIMIT_PER_SECOND / perSecond;
  console.log(
    `check: ${Math.round(perSecond).toLocaleString('en')} events/s, ratio to ${VERIFY_LIMIT_PER_SECOND.toLocaleString('en')}/s: ${checkRatio.toFixed(2)}`,
  );
  if (searchRatio > 1 || checkRatio > 1) process.exitCode = 1;
}

/** Spread evenly over the last 85 days; every hundredth event is by a user. */
async function fill({ pool }: Database, size: number): Promise<void> {
  await pool.query('alter table audit_event disable trigger user');
  await pool.query(
    'select ensure_audit_month(now() - make_interval(months => n)) from generate_series(1, 3) n',
  );
  await pool.query(
    `insert into audit_event (id, at, device_id, type, actor_kind, actor_id, actor_name, actor_address, case_id,
       request_id, run_id, data)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
         || '8' || lpad(to_hex(n), 15, '0'))::uuid, at,
       md5('d' || n % ${AUDIT_DEVICES})::uuid,
       case when n % 100 = 0 then 'command.requested' when n % 100 < 3 then 'command.finished'
         when n % 1000 = 7 then 'access.signed-in'
         else 'device-event.' || (array['heartbeat','disk-full','service-crashed','config-changed'])[1 + n % 4] end,
       case when n % 100 = 0 or n % 1000 = 7 then 'user' else 'device' end,
       case when n % 100 = 0 or n % 1000 = 7 then md5('u' || n % 77) else md5('d' || n % ${AUDIT_DEVICES})::uuid::text end,
       case when n % 100 = 0 or n % 1000 = 7 then 'person ' || n % 77 else 'device ' || n % ${AUDIT_DEVICES} end,
       case when n % 100 = 0 or n % 1000 = 7 then '192.0.2.' || n % 251 end,
       case when n % 1000 = 0 then md5('c' || n % 5000)::uuid end,
       case when n % 100 = 0 then 'r-' || n end,
       case when n % 100 < 3 then md5('r' || n / 100)::uuid end,
       jsonb_build_object('state', case when n % 50 = 1 then 'Failed' else 'Success' end, 'n', n)
     from (select n, now() - make_interval(secs => (${size} - n) * 7344000.0 / ${size}) as at
           from generate_series(1, ${size}) n) s`,
  );
  await pool.query('vacuum (analyze) audit_event');
  await pool.query('checkpoint');
}

/** @returns the worst p99 in ms */
async function measureSearch(database: Database): Promise<number> {
  let worst = 0;
  for (const [title, ask] of Object.entries(auditAsks(30))) {
    const found: number[] = [];
    for (let round = -3; round < ASKED_OF_EACH; round += 1) {
      const filter = ask((round + 4) * 7919);
      const startedMs = performance.now();
      await listAuditEvents({ database }, administrator, { filter, pageSize: 50, cursor: null });
      if (round >= 0) found.push(performance.now() - startedMs);
    }
    const [p50, p99] = [percentile(found, 0.5), percentile(found, 0.99)];
    worst = Math.max(worst, p99);
    console.log(
      `  ${title.padEnd(32)} p50 ${p50.toFixed(1).padStart(6)}  p99 ${p99.toFixed(1).padStart(6)} ms  ratio ${(p99 / SEARCH_LIMIT_MS).toFixed(2)}`,
    );
  }
  return worst;
}

const { sha256 } = proofTools;

/**
 * Computes records, roots, and links as the command and the browser do, without reading and
 * signatures.
 */
function measureCheck(): number {
  const blocks = [...chainOf(VERIFIED)];
  const check = new ChainCheck(proofTools);
  const startedUs = process.cpuUsage().user;
  for (const { block, ...content } of blocks) {
    if (check.add(block, [], content) !== null) throw new Error('the chain does not hold');
  }
  // CPU time, so that other processes do not affect the result.
  return (check.verified * 1_000_000) / (process.cpuUsage().user - startedUs);
}

function* chainOf(events: number) {
  let previousHash = GENESIS_HASH;
  const at = new Date().toISOString();
  for (let first = 1; first <= events; first += BLOCK_EVENTS) {
    const records = Array.from({ length: BLOCK_EVENTS }, (_, index) => recordOf(first + index, at));
    const leaves = records.map((record) => leafHash(sha256, record));
    const said = {
      number: Math.ceil(first / BLOCK_EVENTS),
      firstSequence: first,
      count: BLOCK_EVENTS,
      root: toHex(merkleRoot(sha256, leaves)),
      previousHash,
      sealedAt: at,
    };
    const block: AuditBlock = { ...said, hash: blockHash(sha256, said), keyId: '', signature: '' };
    previousHash = block.hash;
    yield { block, leaves, records };
  }
}

const device = newId();
const recordOf = (n: number, at: string): RecordValues => [
  newId(),
  at,
  'command.finished',
  device,
  'device',
  device,
  `device ${n}`,
  null,
  null,
  null,
  device,
  `{"state": "Success", "invocationId": "${device}", "responseCode": 0, "n": ${n}}`,
];

await main();
