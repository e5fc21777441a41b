import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { requeueLostEvents } from '../../../src/audit-trail/sealing/requeue-lost-events.ts';
import { verifyAuditTrail } from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { onlyHot, sealAll, setAuditClock } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';

const DAY_MS = 86_400_000;
let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test[Symbol.asyncDispose]());

const record = (...types: ('device.created' | 'device.retired')[]) =>
  inTransaction(test.database, (tx) =>
    recordAudit(
      tx,
      types.map((type) => ({ type, actor: systemActor })),
    ),
  );
const verify = () => verifyAuditTrail(onlyHot(test));

/** Five events, the third of which is to be removed; sealed some days ago. */
async function recordAndSeal(daysAgo = 0): Promise<void> {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  await setAuditClock(test, daysAgo === 0 ? null : at);
  const [kept, hidden] = ['device.created', 'device.retired'] as const;
  await record(kept, kept, hidden, kept, kept);
  await sealAll(test, 100, () => at);
  await setAuditClock(test, null);
}

const hidden = `(select id from audit_event where type = 'device.retired')`;

/** Digest over the leaf of the event to be removed. */
const digestOfHidden = `(select sha256(substr(b.leaves, 65, 32)) from audit_block b where number = 1)`;

/** Events that a writer of the database can have sealed: that a month was archived and deleted. */
const forgeEvents = `
  insert into audit_event (id, type, actor_kind, actor_name, data)
  select audit_event_id(n), type, 'system', 'Device Portal', jsonb_build_object(
    'month', '2010-01', 'events', 1, 'digest', encode(${digestOfHidden}, 'hex'), 'file', '2010-01/x.parquet')
  from unnest(array['audit-trail.month-archived', 'audit-trail.month-deleted']) with ordinality as t(type, n)`;

describe('a writer of the database cannot remove sealed events unnoticed', () => {
  it('by rows that declare their month archived and deleted', async () => {
    await recordAndSeal();
    await tamperWithTrail(
      test,
      `insert into audit_cold_file (file, month, events, first_id, last_id, first_at, last_at, digest, deleted_at)
       select '2010-01/x.parquet', '2010-01', 5, min(id::text)::uuid, max(id::text)::uuid, min(at), max(at), '', now()
       from audit_event`,
    );
    await tamperWithTrail(test, `delete from audit_event where id = ${hidden}`);
    expect(await verify()).toMatchObject({
      verified: 2,
      expired: 0,
      broken: { sequence: 3, reason: 'missing' },
    });
  });

  it('by sealed events that name exactly them, before their retention has ended', async () => {
    await recordAndSeal(364);
    await test.database.pool.query(forgeEvents);
    await sealAll(test);
    await tamperWithTrail(test, `delete from audit_event where id = ${hidden}`);
    expect(await verify()).toMatchObject({
      verified: 2,
      broken: { sequence: 3, reason: 'missing' },
    });
  });

  it('by giving recent ones the id of a month that has long ended', async () => {
    await recordAndSeal();
    await test.database.pool.query(forgeEvents);
    await sealAll(test);
    await tamperWithTrail(test, `delete from audit_event where id = ${hidden}`);
    await tamperWithTrail(
      test,
      `update audit_block set event_ids[3] = audit_id_from('2010-01-15Z') where number = 1`,
    );
    expect((await verify()).broken).toMatchObject({ sequence: 3, reason: 'missing' });
  });

  it('while months that have really ended count as such', async () => {
    await recordAndSeal(366);
    await test.database.pool.query(forgeEvents);
    await sealAll(test);
    await tamperWithTrail(test, `delete from audit_event where id = ${hidden}`);
    expect(await verify()).toMatchObject({ verified: 7, expired: 1, archived: 0, broken: null });
  });
});

describe('a writer of the database cannot prevent events from being sealed', () => {
  it('by deleting their queue entry: the check finds them, and the sealer queues them again', async () => {
    await recordAndSeal();
    await setAuditClock(test, new Date(Date.now() - 5 * 60_000));
    await record('device.retired');
    await setAuditClock(test, null);
    await tamperWithTrail(test, 'delete from audit_unsealed');
    expect(await verify()).toMatchObject({ broken: null, strays: 1 });
    expect(await requeueLostEvents(test.database, new Date())).toBe(1);
    expect(await requeueLostEvents(test.database, new Date())).toBe(0);
    await sealAll(test);
    expect(await verify()).toMatchObject({ verified: 6, broken: null, strays: 0 });
  });

  it('by stopping the sealer: events that are not sealed in time are a fault', async () => {
    await recordAndSeal();
    await setAuditClock(test, new Date(Date.now() - 20 * 60_000));
    await record('device.created');
    expect(await verify()).toMatchObject({ broken: null, strays: 0, overdue: 1 });
  });
});
