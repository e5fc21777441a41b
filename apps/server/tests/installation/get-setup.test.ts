import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getSetup, type SetupDeps } from '../../src/installation/get-setup.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const admin = viewerWith('Administrator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const setup = (configured: Partial<SetupDeps> = {}) =>
  getSetup(
    { database: test.database, backups: undefined, sendsMessages: false, ...configured },
    admin,
  );
const backups = {
  ...{ place: '/backups', database: 'embedded' as const, since: new Date(), keptDays: 30 },
  ...{ everyMs: 86_400_000, changesEveryMs: 60_000 },
};
const addUser = (id: string, name: string) =>
  test.database.orm.execute(
    sql`insert into portal_user (id, subject, username, name) values (${id}, ${id}, ${name}, ${name})`,
  );

it('nothing is done on an empty installation, and each step is done when it happens', async () => {
  await addUser(admin.userId, 'admin');
  const nothing = {
    ...{ device: false, users: false, roles: false },
    ...{ command: false, backups: false, messages: false },
  };
  expect(await setup()).toEqual(nothing);

  const [deviceId = ''] = await seedDevices(test.database, [{}]);
  await test.database.orm.execute(
    sql`update device_status set connectivity = 'never' where device_id = ${deviceId}`,
  );
  expect(await setup()).toEqual(nothing);
  await test.database.orm.execute(
    sql`update device_status set connectivity = 'offline' where device_id = ${deviceId}`,
  );
  expect(await setup()).toEqual({ ...nothing, device: true });

  const { userId } = viewerWith('Support');
  await addUser(userId, 'support');
  expect(await setup()).toEqual({ ...nothing, device: true, users: true });
  await test.database.orm.execute(
    sql`insert into user_role (user_id, role_id) select ${userId}, id from role where name = 'Support'`,
  );
  expect(await setup()).toMatchObject({ users: true, roles: true, command: false });

  const target = { kind: 'devices' as const, deviceIds: [deviceId] };
  await runCommand(fixture.deps, admin, runInput({ command: 'logs/tail', target }));
  expect(await setup({ backups, sendsMessages: true })).toEqual({
    ...{ device: true, users: true, roles: true },
    ...{ command: true, backups: true, messages: true },
  });
});
