import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { advanceAirBlasts } from '../../../src/air-blast/steps/advance-air-blast.ts';
import { dispatchRun } from '../../../src/commands/execution/dispatch-run.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../../support/air-blast/air-blast-fixture.ts';
import { seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
  await write(sql`
    insert into portal_user (id, subject, username, name)
    values (${operator.userId}, ${operator.subject}, 'operator', 'Operator')`);
  await write(sql`
    insert into user_role (user_id, role_id) select ${operator.userId}, id from role where name = 'Operator'`);
});
afterAll(() => test[Symbol.asyncDispose]());

const write = (statement: ReturnType<typeof sql>) => test.database.orm.execute(statement);

it.each(['1', '100%'])(
  "no further wave of a suspended user's rollout is sent, with %s at a time",
  async (maxConcurrency) => {
    await write(sql`update portal_user set status = 'Activated' where id = ${operator.userId}`);
    const plan = await fixture.plan(
      operator,
      await seedDevices(
        test.database,
        Array.from({ length: 4 }, () => ({})),
      ),
      { options: { canaryPercent: 1, maxConcurrency, wavePercents: [50, 50] } },
    );
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    await fixture.next(operator, plan);
    await fixture.answer();
    await write(sql`update portal_user set status = 'Suspended' where id = ${operator.userId}`);
    // As on a server with the role gateway, which sends immediately.
    const deps = { ...fixture.deps, sendNew: () => {} };
    await advanceAirBlasts(deps, (error) => {
      throw error;
    });
    const { rows: waves } = await write(sql`
      select run_id as id from air_blast_wave
      where air_blast_id = ${plan.id} and step = 'blast' and wave = 2 and run_id is not null`);
    const { id } = waves[0] as { id: string };
    await dispatchRun(test.database, id);
    const { rows } = await write(sql`
      select status_details as details, sent_at from invocation where run_id = ${id}`);
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row).toEqual({ details: 'Access Denied', sent_at: null });
  },
);
