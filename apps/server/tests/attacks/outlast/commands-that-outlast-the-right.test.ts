import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { dispatchRun } from '../../../src/commands/execution/dispatch-run.ts';
import { stopQueued } from '../../../src/commands/execution/stop-queued.ts';
import { getRun } from '../../../src/commands/get-run.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const administrator = viewerWith('Administrator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const write = (statement: ReturnType<typeof sql>) => test.database.orm.execute(statement);

/** A registered user without a role. */
async function person(scope: Scope = everywhere): Promise<Viewer> {
  const viewer = viewerWith('Operator', scope);
  await write(sql`
    insert into portal_user (id, subject, username, name)
    values (${viewer.userId}, ${viewer.subject}, ${viewer.userId}, 'Somebody')`);
  return viewer;
}

async function operator(): Promise<Viewer> {
  const viewer = await person();
  await write(sql`
    insert into user_role (user_id, role_id)
    select ${viewer.userId}, id from role where name = 'Operator'`);
  return viewer;
}

/** Has the role Operator in a scope for the next hour. */
async function elevated(scope: Scope): Promise<Viewer> {
  const viewer = await person(scope);
  await write(sql`
    insert into access_grant (id, user_id, role_id, role_name, permissions, scope, reason, minutes, state, asked_at, ends_at)
    select ${newId()}, ${viewer.userId}, id, name, permissions, ${JSON.stringify(scope)}::jsonb, 'x', 60, 'running',
      now(), now() + interval '1 hour' from role where name = 'Operator'`);
  return viewer;
}

async function queued(viewer: Viewer, countries: readonly string[] = ['DE', 'DE']) {
  const deviceIds = await seedDevices(
    test.database,
    countries.map((country) => ({ country })),
  );
  const target = { kind: 'devices' as const, deviceIds };
  const run = await runCommand(
    fixture.deps,
    viewer,
    runInput({ command: 'restart/device', target, maxConcurrency: '1', maxErrors: '100%' }),
  );
  return { id: run.id, deviceIds };
}

async function statesOf(runId: string): Promise<string[]> {
  const { rows } = await write(sql`
    select status_details as state from invocation where run_id = ${runId} order by id`);
  return (rows as { state: string }[]).map(({ state }) => state);
}

async function refused(runId: string): Promise<void> {
  expect((await dispatchRun(test.database, runId)).claimed).toEqual([]);
  expect(await statesOf(runId)).toEqual(['Access Denied', 'Access Denied']);
  expect(await getRun(fixture.deps, administrator, runId)).toMatchObject({
    state: 'Failed',
    counters: { failed: 2, pending: 0, inProgress: 0 },
  });
  const { rows } = await write(sql`
    select type, data->>'reason' as reason from audit_event
    where run_id = ${runId} and type in ('command.sent', 'command.terminated')`);
  const denied = { type: 'command.terminated', reason: 'right-ended' };
  expect(rows).toEqual([denied, denied]);
  const sent = await write(sql`
    select from invocation where run_id = ${runId} and sent_at is not null`);
  expect(sent.rows).toEqual([]);
}

it('queued commands of a suspended user are not sent', async () => {
  const viewer = await operator();
  const { id } = await queued(viewer);
  await write(sql`update portal_user set status = 'Suspended' where id = ${viewer.userId}`);
  await refused(id);
});

it('queued commands of a user who lost the role are not sent', async () => {
  const viewer = await operator();
  const { id } = await queued(viewer);
  await write(sql`delete from user_role where user_id = ${viewer.userId}`);
  await refused(id);
});

it('queued commands of a user whose temporary access has ended are not sent', async () => {
  const viewer = await elevated(everywhere);
  const { id } = await queued(viewer);
  await write(sql`
    update access_grant set ends_at = now() - interval '1 second' where user_id = ${viewer.userId}`);
  await refused(id);
});

it('queued commands of a suspended user are canceled immediately if that was chosen', async () => {
  const viewer = await operator();
  const { id } = await queued(viewer);
  await write(sql`update portal_user set status = 'Suspended' where id = ${viewer.userId}`);
  await stopQueued(fixture.deps, { ...origin, viewer: administrator }, viewer.userId);
  expect(fixture.published).toContainEqual({ kind: 'run', runIds: [id] });
  await refused(id);
});

it('commands queued for a device that left the scope are not sent', async () => {
  const viewer = await elevated({ countries: ['DE'], models: ['M1'], labels: {} });
  const { id, deviceIds } = await queued(viewer);
  await write(sql`update device set country = null where id = ${deviceIds[0]}`);
  expect((await dispatchRun(test.database, id)).claimed).toEqual([]);
  const next = await dispatchRun(test.database, id);
  expect(next.claimed.map(({ deviceId }) => deviceId)).toEqual([deviceIds[1]]);
  expect(await statesOf(id)).toEqual(['Access Denied', 'InProgress']);
});

it('queued commands of a user who keeps the permission are sent: by role, temporary access, or group', async () => {
  const byGroup = await person();
  await write(sql`update portal_user set in_admin_group = true where id = ${byGroup.userId}`);
  const people = [
    await operator(),
    await elevated(everywhere),
    await elevated({ countries: ['DE'], models: [], labels: {} }),
    byGroup,
  ];
  for (const viewer of people) {
    const { id } = await queued(viewer);
    expect((await dispatchRun(test.database, id)).claimed).toHaveLength(1);
  }
});
