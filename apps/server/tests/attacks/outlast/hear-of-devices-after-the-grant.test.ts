import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import { runCommand } from '../../../src/commands/run-command.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../../support/air-blast/air-blast-fixture.ts';
import { runInput, seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
let operator: Viewer;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
beforeEach(async () => {
  operator = viewerWith('Operator');
  const { userId } = operator;
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, name) values (${userId}, ${userId}, ${userId}, 'Ana')`);
  await test.database.orm.execute(sql`
    insert into access_grant (id, user_id, role_id, role_name, permissions, scope, reason, minutes, state, asked_at, ends_at)
    select ${newId()}, ${userId}, id, name, permissions, scope, 'x', 60, 'running', now(), now() + interval '1 hour'
    from role where name = 'Operator'`);
});
afterAll(() => test[Symbol.asyncDispose]());

/** A run in progress on devices that reconnected after it was sent. */
async function underWay(...countries: readonly string[]): Promise<void> {
  const deviceIds = await seedDevices(
    test.database,
    countries.map((country) => ({ country })),
  );
  const { id } = await runCommand(
    fixture.deps,
    operator,
    runInput({
      ...{ command: 'restart/agent', target: { kind: 'devices', deviceIds } },
      maxErrors: '100%',
    }),
  );
  await test.database.orm.execute(sql`
    update command_run set created_at = created_at - interval '1 hour' where id = ${id}`);
  await test.database.orm.execute(sql`
    update invocation set queued_at = queued_at - interval '1 hour', sent_at = now(), started_at = now()
    where run_id = ${id}`);
  await test.database.orm.execute(sql`
    update device_status set connectivity_since = now() where device_id = any(${sql.param(deviceIds)}::uuid[])`);
}

const changeAccess = (change: { readonly ends?: string; readonly scope?: Scope }) =>
  test.database.orm.execute(sql`
    update access_grant set ends_at = coalesce(${change.ends ?? null}::timestamptz, ends_at),
      scope = coalesce(${change.scope === undefined ? null : JSON.stringify(change.scope)}::jsonb, scope)
    where user_id = ${operator.userId}`);

async function told(): Promise<readonly (readonly [kind: string, devices: number | null])[]> {
  await fixture.answer();
  const { rows } = await test.database.orm.execute<{ kind: string; devices: number | null }>(sql`
    select kind, (facts->>'devices')::int as devices from notification where user_id = ${operator.userId}
    order by kind`);
  return rows.map(({ kind, devices }) => [kind, devices]);
}

it('a user whose temporary access has ended is notified of no device and no result', async () => {
  await underWay('DE', 'FR');
  expect(await told()).toEqual([
    ['queued-ran', 2],
    ['run-ended', null],
  ]);
  await test.database.orm.execute(sql`delete from notification`);
  for (const countries of [['DE', 'FR'], ['DE']]) {
    await underWay(...countries);
    await changeAccess({ ends: '2000-01-01T00:00:00Z' });
    expect(await told()).toEqual([]);
    await changeAccess({ ends: '2100-01-01T00:00:00Z' });
  }
});

it('a user whose scope was narrowed is notified of, and counts, only devices within it', async () => {
  await underWay('DE', 'FR', 'FR');
  await changeAccess({ scope: { ...everywhere, countries: ['DE'] } });
  expect(await told()).toEqual([['queued-ran', 1]]);
});
