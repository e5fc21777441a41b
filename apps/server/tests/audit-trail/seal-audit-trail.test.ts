import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { onlyHot, sealAll, sealing, setAuditClock } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { recordAuditAt } from '../support/audit/record-audit-at.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
});

const record = (count: number) =>
  inTransaction(test.database, (tx) =>
    recordAudit(
      tx,
      Array.from({ length: count }, (_, index) => ({
        type: 'device.created' as const,
        actor: systemActor,
        data: { index, nested: { b: [1.5, null, 'é'], a: true } },
      })),
    ),
  );

const eventAt = (sequence: number) =>
  sql`(select event_ids[${sequence} - first_sequence + 1] from audit_block
    where ${sequence} between first_sequence and last_sequence)`;

/** As somebody would who owns the database and wants to hide something. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await test.owner.orm.execute<{ name: string }>(sql`
    select tgrelid::regclass::text as name from pg_trigger where tgname like 'audit%append_only'`);
  for (const { name } of rows) {
    await test.owner.pool.query(`alter table ${name} disable trigger user`);
  }
  await test.owner.orm.execute(statement);
}

it('[seal-1] batches of each size result in one chain without gaps', async () => {
  await record(25);
  expect(await sealAuditTrail(sealing(test), 10)).toBe(10);
  expect(await sealAuditTrail(sealing(test), 10)).toBe(10);
  await record(3);
  expect(await sealAuditTrail(sealing(test), 10)).toBe(8);
  expect(await sealAuditTrail(sealing(test), 10)).toBe(0);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 28, broken: null });
});

it('concurrent sealers create one chain', async () => {
  await record(300);
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 20; round += 1) await sealAuditTrail(sealing(test), 20);
    }),
  );
  while ((await sealAuditTrail(sealing(test), 100)) > 0);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 300, broken: null });
});

it('an event that is committed late is sealed later, and sealing does not wait for it', async () => {
  let commit: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let written: () => void = () => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const late = inTransaction(test.database, async (tx) => {
    await recordAudit(tx, [{ type: 'device.retired', actor: systemActor }]);
    written();
    await held;
  });
  await isWritten;
  await record(5);
  expect(await sealAuditTrail(sealing(test))).toBe(5);
  commit();
  await late;
  expect(await sealAuditTrail(sealing(test))).toBe(1);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 6, broken: null });
});

it('a changed event is a fault of the chain at its sequence', async () => {
  await record(10);
  await sealAuditTrail(sealing(test));
  await tamper(sql`update audit_event set data = data || '{"index":99}' where id = ${eventAt(4)}`);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({
    verified: 3,
    broken: { sequence: 4, reason: 'changed' },
  });
});

it('a removed event is a fault of the chain', async () => {
  await record(10);
  await sealAuditTrail(sealing(test));
  await tamper(sql`delete from audit_event where id = ${eventAt(7)}`);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({
    verified: 6,
    broken: { sequence: 7, reason: 'missing' },
  });
});

it('an event that was changed together with its hash does not match its block', async () => {
  await record(4);
  await sealAuditTrail(sealing(test));
  await tamper(
    sql`update audit_block set leaves = overlay(leaves placing sha256('other') from 33)`,
  );
  expect((await verifyAuditTrail(onlyHot(test))).broken).toMatchObject({
    sequence: 2,
    reason: 'changed',
  });
});

it.each([
  ['update', sql`update audit_block set first_sequence = 9`],
  ['delete', sql`delete from audit_block`],
  ['truncate', sql`truncate audit_block`],
  ['a key exchanged', sql`update audit_key set public_key = ''`],
])('blocks and keys are insert-only: %s is rejected', async (_name, statement) => {
  await record(1);
  await sealAuditTrail(sealing(test));
  await expect(test.owner.orm.execute(statement)).rejects.toMatchObject({
    cause: { message: 'the audit trail is append-only' },
  });
});

it('an event that bypassed the queue, or whose block was removed, is a stray', async () => {
  await record(3);
  await sealAuditTrail(sealing(test));
  await record(1);
  await sealAuditTrail(sealing(test));
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 4, strays: 0 });
  await tamper(sql`delete from audit_block where number = 2`);
  await record(1);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({
    verified: 3,
    broken: null,
    strays: 2,
  });
});

it('events of all statements are queued, except after a rollback', async () => {
  const failed = inTransaction(test.database, async (tx) => {
    await recordAudit(tx, [{ type: 'device.retired', actor: systemActor }]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await test.database.orm.execute(sql`
    insert into audit_event (id, type, actor_kind, actor_name)
    select audit_event_id(n), 'device.created', 'system', 'by hand' from generate_series(1, 3) n`);
  expect(await sealAuditTrail(sealing(test))).toBe(3);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 3, strays: 0 });
});

const fieldChanges = {
  id: sql`id = gen_random_uuid()`,
  at: sql`at = at + interval '1 microsecond'`,
  type: sql`type = 'device.updated'`,
  device_id: sql`device_id = gen_random_uuid()`,
  actor_kind: sql`actor_kind = 'user'`,
  actor_id: sql`actor_id = ''`,
  actor_name: sql`actor_name = actor_name || ' '`,
  actor_address: sql`actor_address = '192.0.2.1'`,
  case_id: sql`case_id = gen_random_uuid()`,
  request_id: sql`request_id = 'r'`,
  run_id: sql`run_id = gen_random_uuid()`,
  data: sql`data = jsonb_set(data, '{nested,b,0}', '1.50')`,
};

it('a change of each single field is detected', async () => {
  await record(3);
  await sealAuditTrail(sealing(test));
  await tamper(sql`create table saved as select * from audit_event`);
  for (const [field, change] of Object.entries(fieldChanges)) {
    await tamper(sql`update audit_event set ${change} where id = ${eventAt(2)}`);
    expect(await verifyAuditTrail(onlyHot(test)), field).toMatchObject({
      verified: 1,
      broken: { sequence: 2, reason: field === 'id' ? 'missing' : 'changed' },
    });
    await tamper(sql`delete from audit_event`);
    await tamper(sql`insert into audit_event select * from saved`);
  }
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 3, broken: null });
});

const blockChanges = [
  ['missing', 'a block that is gone', sql`delete from audit_block where number = 2`],
  [
    'missing',
    'two blocks in each other’s place',
    sql`update audit_block set number = number + 1, last_sequence = last_sequence + 100 where number = 3;
        update audit_block set number = 3 where number = 2; update audit_block set number = 2 where number = 4`,
  ],
  [
    'resealed',
    'two events in each other’s place',
    sql`update audit_block set event_ids = array[event_ids[2], event_ids[1], event_ids[3]],
          leaves = substr(leaves, 33, 32) || substr(leaves, 1, 32) || substr(leaves, 65) where number = 2`,
  ],
  [
    'resealed',
    'another time of sealing',
    sql`update audit_block set sealed_at = sealed_at - interval '1 s' where number = 2`,
  ],
  [
    'unlinked',
    'a block of another chain',
    sql`update audit_block set previous_hash = sha256('') where number = 2`,
  ],
  [
    'unsigned',
    'a forged signature',
    sql`update audit_block set signature = sha512('') where number = 2`,
  ],
] as const;

it('a missing, moved, changed, foreign, or unsigned block is detected', async () => {
  for (let block = 0; block < 3; block += 1) {
    await record(3);
    await sealAuditTrail(sealing(test));
  }
  await tamper(sql`create table saved as select * from audit_block`);
  for (const [reason, what, change] of blockChanges) {
    await tamper(change);
    expect((await verifyAuditTrail(onlyHot(test))).broken, what).toMatchObject({
      sequence: 4,
      reason,
    });
    await tamper(sql`delete from audit_block`);
    await tamper(sql`insert into audit_block select * from saved`);
  }
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ verified: 9, broken: null });
});

it('a truncated or rewritten chain does not contain the block that was stored elsewhere', async () => {
  await record(2);
  await sealAuditTrail(sealing(test));
  const kept = { number: 1, hash: (await verifyAuditTrail(onlyHot(test))).head };
  expect(await verifyAuditTrail(onlyHot(test), { kept })).toMatchObject({ holdsKept: true });
  const other = { ...kept, hash: '0'.repeat(64) };
  expect(await verifyAuditTrail(onlyHot(test), { kept: other })).toMatchObject({
    holdsKept: false,
  });
  expect(await verifyAuditTrail(onlyHot(test), { kept: { ...kept, number: 2 } })).toMatchObject({
    broken: null,
    holdsKept: false,
  });
});

it('events are in the month of their recording, including events from before the month was created', async () => {
  for (const month of [0, 0, 2]) {
    const at = new Date(Date.UTC(2024, month, 15));
    await setAuditClock(test, at);
    await record(1);
    await sealAuditTrail({ ...sealing(test), clock: () => at });
  }
  await setAuditClock(test, null);
  expect(await ensureAuditMonths(test.database.orm, new Date())).toBe(2);
  expect(await ensureAuditMonths(test.database.orm, new Date())).toBe(0);
  const { rows } = await test.database.pool.query<{ name: string; n: number }>(
    'select tableoid::regclass::text as name, count(*)::int as n from audit_event group by 1 order by 1',
  );
  expect(rows).toEqual([
    { name: 'audit_event_2024_01', n: 2 },
    { name: 'audit_event_2024_03', n: 1 },
  ]);
  await expect(test.owner.pool.query('delete from audit_event_2024_01')).rejects.toThrow(
    'append-only',
  );
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({
    verified: 3,
    broken: null,
    strays: 0,
  });
});

it('a backlog of hours is sealed in several blocks', async () => {
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const first = hoursAgo(6);
  await setAuditClock(test, first);
  await record(1);
  await sealAll(test, 2, () => first);
  await recordAuditAt(
    test,
    [5, 4, 3, 2, 1].map((hours) => ({
      type: 'device.created',
      actor: systemActor,
      at: hoursAgo(hours),
    })),
  );
  await sealAll(test, 2);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({
    verified: 6,
    blocks: 4,
    refused: 0,
    broken: null,
  });
});
