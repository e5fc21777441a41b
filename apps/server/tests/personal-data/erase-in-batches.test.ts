import fc from 'fast-check';
import { Readable } from 'node:stream';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { advanceErasures } from '../../src/personal-data/erase/advance-erasures.ts';
import { ErasingNames } from '../../src/personal-data/erase/erasing-names.ts';
import { pseudonymOf } from '../../src/personal-data/keys/pseudonym-of.ts';
import { recordFileName } from '../../src/personal-data/record/record-file-name.ts';
import { nounsWithUsers } from '../../src/personal-data/nouns-with-users.ts';
import { onlyHot, sealAll, testSigner } from '../support/audit/audit-signer.ts';
import { isThorough } from '../support/is-thorough.ts';
import { listed } from '../platform/files/listed.ts';
import { act, seedCustomer } from './seeded-people.ts';
import { advanceAll, createErasureFixture, type ErasureFixture } from './erasure-fixture.ts';

let fixture: ErasureFixture;
let number = 0;
let username = '';

beforeAll(async () => {
  fixture = await createErasureFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  username = `maria-quill-${number}@example.com`;
});

/** Rows of several batches. */
const rows = { calls: 5_000, runs: 2_500, notifications: 2_100 };

/** Changed: calls, runs, and the notifications of another user; deleted: those of the user. */
const counts = {
  changed: rows.calls + rows.runs + rows.notifications,
  deleted: rows.notifications,
};

/** One batch, so that a test decides what comes after it. */
const advanceOnce = (deps = fixture.deps): Promise<void> => advanceErasures(deps, { limitMs: 1 });

test('killed between any two batches, an erasure goes on with any server, and erases every row once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('batch', 'killed', 'two servers'), { maxLength: 12 }),
      async (events) => {
        number += 1;
        const user = await fixture.user(`maria-quill-${number}@example.com`, rows);
        const id = await fixture.begin(user);
        for (const event of events) {
          if (event === 'batch') await advanceOnce();
          if (event === 'killed') await advanceOnce(fixture.dying()).catch(() => {});
          if (event === 'two servers') await Promise.all([advanceOnce(), advanceOnce()]);
        }
        await advanceAll(fixture.deps);
        expect(await fixture.state(id)).toMatchObject({ ...counts, round: 2, ended: false });
        await fixture.passTime();
        await advanceAll(fixture.deps);
        expect(await fixture.state(id)).toMatchObject({ ...counts, ended: true });
        expect(await fixture.find(user.username)).toEqual([]);
      },
    ),
    { numRuns: isThorough ? 12 : 2 },
  );
});

test('only one server at a time works on an erasure', async () => {
  const id = await fixture.begin(await fixture.user(username, rows));
  await Promise.all([1, 2, 3, 4].map(() => advanceAll(fixture.deps)));
  await advanceAll(fixture.deps);
  expect(await fixture.state(id)).toMatchObject({ ...counts, round: 2 });
});

test('from the beginning, answers contain only the pseudonym', async () => {
  const names = new ErasingNames(fixture.portal.database);
  await names.refresh();
  const user = await fixture.user(username, rows);
  const answer = { rows: [{ createdBy: username, at: new Date(0) }], other: `of ${username}` };
  expect(names.hide(answer)).toEqual(answer);
  await fixture.begin(user);
  await names.refresh();
  expect(names.hide(answer)).toEqual({
    ...{ rows: [{ createdBy: pseudonymOf(user.id), at: new Date(0) }], other: answer.other },
  });
  await advanceAll(fixture.deps);
  await fixture.passTime();
  await advanceAll(fixture.deps);
  await names.refresh();
  expect(names.hide(answer)).toBe(answer);
});

test('what a request in progress writes after its table was visited is erased, too', async () => {
  const user = await fixture.user(username, { calls: 10, runs: 0, notifications: 0 });
  const id = await fixture.begin(user);
  await advanceAll(fixture.deps);
  await fixture.portal.database.pool.query(
    `insert into device_note (id, device_id, text, author_id, author) values ($1, $1, 'note', $2, $3)`,
    [newId(), user.id, username],
  );
  await fixture.passTime();
  await advanceAll(fixture.deps);
  expect(await fixture.state(id)).toMatchObject({ ended: true });
  expect(await fixture.find(username)).toEqual([]);
});

test('a failed batch is tried again with a code of the error, and does not delay other erasures', async () => {
  const { owner, database } = fixture.portal;
  const user = await fixture.user(username, rows);
  const other = await fixture.user(`boris-${username}`, { ...rows, runs: 0 });
  await owner.pool.query(`
    create function fail_test() returns trigger language plpgsql as $$ begin raise 'secret ${username}'; end $$;
    create trigger fail_test before update on command_run for each row execute function fail_test()`);
  const [id, otherId] = [await fixture.begin(user), await fixture.begin(other)];
  await advanceAll(fixture.deps);
  expect(await fixture.state(otherId)).toMatchObject({ round: 2 });
  expect(await fixture.state(id)).toMatchObject({ round: 1, failure: 'P0001' });
  const { failures } = await fixture.state(id);
  expect(failures).toBeGreaterThan(0);
  await fixture.passTime();
  await advanceAll(fixture.deps);
  expect(await fixture.state(id)).toMatchObject({ round: 1, failures: expect.any(Number) });
  expect((await fixture.state(id)).failures).toBeGreaterThan(failures);
  await owner.pool.query('drop function fail_test cascade');
  await fixture.passTime();
  await advanceAll(fixture.deps);
  expect(await fixture.state(id)).toMatchObject({
    ...counts,
    round: 2,
    failures: 0,
    failure: null,
  });
  await database.pool.query('delete from erasure where id = $1', [otherId]);
});

test('files of reports and records are deleted, also if the server is killed after their rows', async () => {
  const { deps } = fixture;
  const user = await fixture.user(username, { calls: 1, runs: 0, notifications: 0 });
  const customer = await seedCustomer(fixture.portal.database, `carla-${number}`);
  const reportId = newId();
  await fixture.portal.database.pool.query(
    `insert into report (id, kind, person_id, from_at, to_at, parts, language, voice, paper, precise, state,
       created_by_id, created_by_subject, created_by, created_at, expires_at)
     values ($1, 'user', $2, now(), now(), '[]', 'en', 'support', 'a4', false, 'ready', $1, 's', 'boris', now(), now())`,
    [reportId, customer.id],
  );
  await deps.userReportFiles.put(`${reportId}.json`, Readable.from([username]));
  const id = await fixture.begin(user, customer.id);
  await deps.exportFiles.put(recordFileName(user.id, newId()), Readable.from([username]));
  for (let batch = 0; batch < 3; batch += 1) {
    await advanceOnce(fixture.dying()).catch(() => {});
    await advanceOnce();
  }
  await fixture.passTime();
  await advanceAll(deps);
  await fixture.passTime();
  await advanceAll(deps);
  expect(await fixture.state(id)).toMatchObject({ ended: true });
  for (const files of [deps.userReportFiles, deps.exportFiles])
    expect(await listed(files, '')).toEqual([]);
});

test('a signed text with the name is kept until its run ends', async () => {
  const { pool } = fixture.portal.database;
  const user = await fixture.user(username, { calls: 0, runs: 3, notifications: 0 });
  const { rows: runs } = await pool.query<{ id: string }>(
    'select id from command_run where created_by_id = $1 order by id',
    [user.id],
  );
  const [open, ended, byId] = runs.map(({ id }) => id);
  await pool.query('update command_run set ended_at = null where id = any($1)', [[open, byId]]);
  const signed = (runId: string | undefined, name: string) =>
    pool.query(
      `insert into run_signature (run_id, statement, signatures, blinding, device_ids) values ($1, $2, '[]', '', '')`,
      [runId, JSON.stringify({ runId, authorizedBy: { id: user.id, name }, instructions: {} })],
    );
  await signed(open, username);
  await signed(ended, username);
  await signed(byId, '');
  const left = async () =>
    (await pool.query<{ run_id: string }>('select run_id from run_signature order by 1')).rows.map(
      ({ run_id: id }) => id,
    );
  const id = await fixture.begin(user);
  await advanceAll(fixture.deps);
  await fixture.passTime();
  await advanceAll(fixture.deps);
  expect(await left()).toEqual([open, byId].toSorted());
  const { rows: waiting } = await pool.query(
    'select waits_for, sealed_names, ended_at from erasure where id = $1',
    [id],
  );
  expect(waiting).toEqual([{ waits_for: 1, sealed_names: null, ended_at: null }]);
  await pool.query('update command_run set ended_at = now() where id = $1', [open]);
  await fixture.passTime();
  await advanceAll(fixture.deps);
  expect(await left()).toEqual([byId]);
  expect(await fixture.state(id)).toMatchObject({ ended: true });
  expect(await fixture.find(username)).toEqual([]);
});

test('the audit trail verifies after an erasure that was interrupted', async () => {
  const user = await fixture.user(username, rows);
  await act(fixture.portal.database, user);
  await sealAll(fixture.portal);
  await fixture.begin(user);
  await advanceOnce();
  await advanceOnce(fixture.dying()).catch(() => {});
  await advanceAll(fixture.deps);
  await sealAll(fixture.portal);
  const { trustedKeys } = testSigner;
  const sources = { ...onlyHot(fixture.portal), trustedKeys };
  expect(await verifyAuditTrail(sources)).toMatchObject({ broken: null });
});

test('every table with data about users has a key in whose order it can be visited', () => {
  for (const { names = [], own = [], json = [] } of Object.values(nounsWithUsers)) {
    for (const { table } of [...names, ...own, ...json]) {
      const { columns, primaryKeys } = getTableConfig(table);
      expect(primaryKeys.length + columns.filter(({ primary }) => primary).length).toBeGreaterThan(
        0,
      );
    }
  }
});
