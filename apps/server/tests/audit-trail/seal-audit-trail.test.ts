import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../src/audit-trail/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verify-audit-trail.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';

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
  sql`(select event_id from audit_seal where sequence = ${sequence})`;

/** As somebody would who owns the database and wants to hide something. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await test.database.orm.execute(sql`alter table audit_event disable trigger all`);
  await test.database.orm.execute(sql`alter table audit_seal disable trigger all`);
  await test.database.orm.execute(statement);
}

it('[seal-1] batches give one chain without hole, whatever their size', async () => {
  await record(25);
  expect(await sealAuditTrail(test, 10)).toBe(10);
  expect(await sealAuditTrail(test, 10)).toBe(10);
  await record(3);
  expect(await sealAuditTrail(test, 10)).toBe(8);
  expect(await sealAuditTrail(test, 10)).toBe(0);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 28, broken: null });
});

it('[seal-2] several sealers at once make one chain', async () => {
  await record(300);
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 20; round += 1) await sealAuditTrail(test, 20);
    }),
  );
  while ((await sealAuditTrail(test, 100)) > 0);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 300, broken: null });
});

it('[seal-3] an event whose transaction commits late is sealed later, and nothing waits for it', async () => {
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
  expect(await sealAuditTrail(test)).toBe(5);
  commit();
  await late;
  expect(await sealAuditTrail(test)).toBe(1);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 6, broken: null });
});

it('[seal-4] a changed event breaks the chain where it stands', async () => {
  await record(10);
  await sealAuditTrail(test);
  await tamper(sql`update audit_event set data = data || '{"index":99}' where id = ${eventAt(4)}`);
  expect(await verifyAuditTrail(test)).toMatchObject({
    verified: 3,
    broken: { sequence: 4, reason: 'changed' },
  });
});

it('[seal-5] a removed event is missed', async () => {
  await record(10);
  await sealAuditTrail(test);
  await tamper(sql`delete from audit_event where id = ${eventAt(7)}`);
  expect(await verifyAuditTrail(test)).toMatchObject({
    verified: 6,
    broken: { sequence: 7, reason: 'missing' },
  });
});

it('[seal-6] events that were sealed anew after a change no longer link', async () => {
  await record(4);
  await sealAuditTrail(test);
  await tamper(sql`update audit_seal set hash = sha256('other') where sequence = 2`);
  expect((await verifyAuditTrail(test)).broken?.sequence).toBe(2);
});

it.each([
  ['update', sql`update audit_seal set sequence = 9`],
  ['delete', sql`delete from audit_seal`],
  ['truncate', sql`truncate audit_seal`],
])('[seal-7] a seal is set once: %s is refused', async (_name, statement) => {
  await record(1);
  await sealAuditTrail(test);
  await expect(test.database.orm.execute(statement)).rejects.toMatchObject({
    cause: { message: 'the audit trail is append-only' },
  });
});

it('[seal-8] an event that was written around the seal, or whose seal was taken away, is a stray', async () => {
  await record(3);
  await sealAuditTrail(test);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 3, strays: 0 });
  await tamper(sql`delete from audit_seal where sequence = 3`);
  await record(1);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 2, broken: null, strays: 2 });
});

it('[seal-9] an event waits for its seal whatever statement wrote it, and not where it was rolled back', async () => {
  const failed = inTransaction(test.database, async (tx) => {
    await recordAudit(tx, [{ type: 'device.retired', actor: systemActor }]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await test.database.orm.execute(sql`
    insert into audit_event (id, at, type, actor_kind, actor_name)
    select gen_random_uuid(), now(), 'device.created', 'system', 'by hand' from generate_series(1, 3)`);
  expect(await sealAuditTrail(test)).toBe(3);
  expect(await verifyAuditTrail(test)).toMatchObject({ verified: 3, strays: 0 });
});
