import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeastPrivileged } from '../../../src/platform/database/runtime-role.ts';
import { sealAll, setAuditClock } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const MONTH = '2024-01';
const PARTITION = 'audit_event_2024_01';
let db: TestDatabase;

/** A sealed month that has long ended. */
beforeAll(async () => {
  db = await createTestDatabase();
  const at = new Date('2024-01-10T00:00:00Z');
  await setAuditClock(db, at);
  await db.database.pool.query(
    `insert into audit_event (id, type, actor_kind, actor_name)
     select audit_event_id(n), 'device.created', 'system', '' from generate_series(1, 5) n`,
  );
  await sealAll(db, 100, () => at);
  await setAuditClock(db, null);
  await db.database.pool.query('select ensure_audit_months(now())');
});
afterAll(() => db[Symbol.asyncDispose]());

const asServer = (sql: string) => db.database.pool.query(sql);
const REFUSED =
  /permission denied|must be owner|must be able to SET ROLE|must have CREATEROLE|must be superuser|append-only/;

describe("with SQL in the server's role, an attacker cannot", () => {
  test('be the owner of the trail', async () => {
    expect(await isLeastPrivileged(db.database.pool)).toBe(true);
    expect(await isLeastPrivileged(db.owner.pool)).toBe(false);
  });

  test.each([
    ['disable a trigger', 'alter table audit_event disable trigger user'],
    ['disable all triggers of the session', "set session_replication_role = 'replica'"],
    ['truncate the trail', 'truncate audit_event'],
    ['truncate a month', `truncate ${PARTITION}`],
    ['truncate the blocks', 'truncate audit_block cascade'],
    ['update a sealed event', "update audit_event set type = 'x'"],
    ['update an event in its month', `update ${PARTITION} set type = 'x'`],
    ['delete an event', 'delete from audit_event'],
    ['delete an event in its month', `delete from ${PARTITION}`],
    [
      'write past the queue of what is to be sealed',
      `insert into ${PARTITION} select * from ${PARTITION}`,
    ],
    ['update a block', "update audit_block set key_id = 'x'"],
    ['delete a block', 'delete from audit_block'],
    ['replace a key', "update audit_key set public_key = ''"],
    ['forget that a month was archived', 'delete from audit_cold_file'],
    ['update a time stamp', "update audit_time_stamp set token = ''"],
    ['delete a time stamp', 'delete from audit_time_stamp'],
    ['forget a place that keeps blocks', 'delete from audit_anchor_progress'],
    ['take an event out of the queue of the seal', 'delete from audit_unsealed'],
    ['queue a sealed event again', "insert into audit_unsealed values (gen_random_uuid(), '{}')"],
    ['replace the clock of the trail', 'drop function audit_clock() cascade'],
    ['drop a month', `drop table ${PARTITION}`],
    ['detach a month', `alter table audit_event detach partition ${PARTITION}`],
    ['become the owner', 'set role postgres'],
    ['take a table over', 'alter table audit_event owner to current_user'],
    ['grant itself more', 'create role more superuser'],
    [
      'replace a function',
      'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
    ],
    [
      'make a function that shadows one',
      'create function public.sha256(bytea) returns bytea language sql as $$ select $1 $$',
    ],
    ['make a table in the schema', 'create table public.audit_event_2023_12 ()'],
    ['alter the books of migrations', 'delete from drizzle.__drizzle_migrations'],
    ['drop a trigger', 'drop trigger audit_block_append_only on audit_block'],
  ])('%s', async (_what, sql) => {
    await expect(asServer(sql)).rejects.toThrow(REFUSED);
  });
});

describe('drop a month', () => {
  const forge = (digest: string): string => `
    insert into audit_cold_file (file, month, events, first_id, last_id, first_at, last_at, digest)
      select 'forged', '${MONTH}', 5, min(id::text)::uuid, max(id::text)::uuid, min(at), max(at), ${digest}
      from ${PARTITION};
    insert into audit_event (id, at, type, actor_kind, actor_name, data)
      select audit_event_id(1), audit_clock(), 'audit-trail.month-archived', 'system', '', jsonb_build_object(
        'month', month, 'events', events, 'digest', encode(digest, 'hex'), 'file', file)
      from audit_cold_file where file = 'forged';`;

  /** In one transaction, which is rolled back on error. */
  const attempt = (...statements: string[]) =>
    asServer([...statements, `select drop_audit_month('${MONTH}')`].join(';'));

  test('that was never archived', async () => {
    await expect(attempt()).rejects.toThrow(/not archived/);
  });

  test('with a forged row of a file', async () => {
    await expect(attempt(forge(`sha256('forged')`))).rejects.toThrow(/not archived/);
  });

  test('with a temporary table in place of the blocks', async () => {
    await expect(
      attempt(
        'create temp table audit_block (like public.audit_block)',
        'create temp table audit_cold_file (like public.audit_cold_file)',
        `set search_path = pg_temp, public`,
      ),
    ).rejects.toThrow(/not archived/);
  });

  test('before it has ended, or by another name', async () => {
    const now = new Date().toISOString().slice(0, 7);
    await expect(asServer(`select drop_audit_month('${now}')`)).rejects.toThrow(/has not ended/);
    await expect(asServer(`select drop_audit_month('other')`)).rejects.toThrow(/no month/);
  });

  test('and its events still exist', async () => {
    expect((await asServer(`select from ${PARTITION}`)).rowCount).toBe(5);
  });
});
