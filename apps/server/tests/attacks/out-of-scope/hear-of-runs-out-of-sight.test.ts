import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultRunRules } from '@deviceportal/contract/run-rules';
import {
  everywhere,
  type Grant,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import { saveRunRules } from '../../../src/commands/approval/run-rules.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import {
  createCommandFixture,
  may,
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

const approve: Permission = 'air-blast:approve';
const read: Permission = 'commands:read';
const within = (...countries: string[]): Scope => ({ ...everywhere, countries });

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

/** A user with one role for each of these grants. */
async function colleague(grants: readonly Grant[], email: string | null = null): Promise<string> {
  const id = newId();
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, email, name) values (${id}, ${id}, ${id}, ${email}, 'Ana')`);
  for (const { permissions, scope } of grants) {
    const role = newId();
    await test.database.orm.execute(sql`
      insert into role (id, name, permissions, scope)
      values (${role}, ${role}, ${JSON.stringify(permissions)}::jsonb, ${JSON.stringify(scope)}::jsonb)`);
    await test.database.orm.execute(sql`
      insert into user_role (user_id, role_id) values (${id}, ${role})`);
  }
  return id;
}

/** The users notified of a run that needs approval, on a device in Germany and one in France. */
async function toldOfRun(email: string): Promise<string[]> {
  const administrator = viewerWith('Administrator');
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, email, name)
    values (${administrator.userId}, ${administrator.userId}, 'boss', ${email}, 'Boss')`);
  const rules = defaultRunRules.map((rule) =>
    rule.consequence === 'disrupts' ? { ...rule, approvalFrom: 2, airBlastFrom: null } : rule,
  );
  await saveRunRules(fixture.deps, { viewer: administrator, ...origin }, rules);
  const deviceIds = await seedDevices(test.database, [{ country: 'DE' }, { country: 'FR' }]);
  const target = { kind: 'devices' as const, deviceIds };
  const run = await runCommand(
    fixture.deps,
    administrator,
    runInput({ command: 'restart/device', target }),
  );
  expect(run.state).toBe('Approval');
  const { rows } = await test.database.orm.execute<{ user_id: string }>(sql`
    select user_id from notification where kind = 'run-approval' and facts->>'runId' = ${run.id}`);
  return rows.map((row) => row.user_id).toSorted();
}

it('a user who can approve a run but not read all of it is not notified of it', async () => {
  await colleague([may([approve])]);
  await colleague([may([approve]), may([read], within('DE'))]);
  await colleague([may([approve], within('DE')), may([read])]);
  await colleague([may([read])]);
  const second = await colleague([may([approve, read])], 'boss+second@example.com');
  const all = await colleague([may([approve, read])]);
  const parts = await colleague([
    may([approve], within('DE', 'FR')),
    may([read], within('DE')),
    may([read], within('FR')),
  ]);
  expect(await toldOfRun('boss@example.com')).toEqual([all, parts].toSorted());
  expect(await toldOfRun('other@example.com')).toEqual([all, parts, second].toSorted());
});
