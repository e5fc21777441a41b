import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelInvocation } from '../../src/commands/invocations/cancel-invocation.ts';
import { cancelRun } from '../../src/commands/cancel-run.ts';
import { getCommandForm } from '../../src/commands/catalog/get-command-form.ts';
import { listCommands } from '../../src/commands/catalog/list-commands.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { setFavoriteCommand } from '../../src/commands/catalog/set-favorite-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
const caller = { viewer: operator, ...origin };

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, name)
    values (${operator.userId}, ${operator.subject}, ${operator.username}, 'Operator')`);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

it('returns every command to every viewer, with the missing permission', async () => {
  const commands = await listCommands(fixture.deps, viewerWith('Support'));
  expect(commands).toHaveLength(23);
  const of = (name: string) => commands.find(({ command }) => command === name);
  expect(of('storage/clean')).toMatchObject({
    allowed: true,
    missingPermission: null,
    name: 'storage',
    sub: 'clean',
  });
  expect(of('restart/device')).toMatchObject({
    allowed: false,
    missingPermission: 'commands:run:@disrupts',
  });
  expect(of('document')).toMatchObject({ allowed: true, documentName: null });
  expect(of('locate')?.platforms).toEqual(['Linux', 'MacOS']);
});

it('adds a favorite command once, and removes it', async () => {
  await setFavoriteCommand(fixture.deps, caller, { command: 'locate', favorite: true });
  await setFavoriteCommand(fixture.deps, caller, { command: 'locate', favorite: true });
  const starred = async () =>
    (await listCommands(fixture.deps, operator))
      .filter(({ favorite }) => favorite)
      .map(({ command }) => command);
  expect(await starred()).toEqual(['locate']);
  await setFavoriteCommand(fixture.deps, caller, { command: 'locate', favorite: false });
  expect(await starred()).toEqual([]);
  const { rows } = await test.database.orm.execute(sql`
    select data from audit_event where type = 'settings.preferences-changed' order by id`);
  expect(rows.map(({ data }) => data)).toEqual([
    { before: { favoriteCommands: [] }, after: { favoriteCommands: ['locate'] } },
    { before: { favoriteCommands: ['locate'] }, after: { favoriteCommands: [] } },
  ]);
  await expect(
    setFavoriteCommand(fixture.deps, caller, { command: 'nothing', favorite: true }),
  ).rejects.toMatchObject({ code: 4002 });
});

it('returns a form with the parameters of the pinned document, its siblings, and the missing permission', async () => {
  const form = await getCommandForm(fixture.deps, viewerWith('Viewer'), {
    command: 'network/ping',
    document: 'DevicePortal-network-ping:1',
  });
  expect(form).toMatchObject({
    documentVersion: 1,
    allowed: false,
    missingPermission: 'commands:run:@reads',
  });
  expect(Object.keys(form.parameters)).toEqual(['host', 'count']);
  expect(form.siblings.map(({ command }) => command)).toEqual([
    'network/diagnose',
    'network/ping',
    'network/dns',
  ]);
  await expect(
    getCommandForm(fixture.deps, operator, { command: 'wifi/scan', document: '' }),
  ).rejects.toMatchObject({ code: 4002 });
});

it('allows canceling with permission to run the command; otherwise 1000, or 5000 if it is not visible', async () => {
  const [one = '', two = ''] = await seedDevices(test.database, [{}, {}]);
  const input = runInput({
    command: 'restart/device',
    target: { kind: 'devices', deviceIds: [one, two] },
  });
  const run = await runCommand(fixture.deps, operator, input);
  await expect(
    cancelRun(fixture.deps, viewerWith('Support'), { id: run.id, origin }),
  ).rejects.toMatchObject({ code: 1000 });
  const elsewhere = viewerWith('Operator', { countries: ['FR'], models: [], labels: {} });
  await expect(cancelRun(fixture.deps, elsewhere, { id: run.id, origin })).rejects.toMatchObject({
    code: 5000,
  });
  expect(await cancelRun(fixture.deps, operator, { id: run.id, origin })).toMatchObject({
    counters: { cancelled: 2, pending: 0 },
    cancellable: false,
  });
});

it('cancels a single invocation', async () => {
  const deviceIds = await seedDevices(test.database, [{}, {}]);
  const run = await runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'logs/tail', target: { kind: 'devices', deviceIds } }),
  );
  const { rows } = await test.database.orm.execute(
    sql`select id from invocation where run_id = ${run.id} limit 1`,
  );
  const { id } = rows[0] as { id: string };
  await expect(
    cancelInvocation(fixture.deps, viewerWith('Viewer'), { id, origin }),
  ).rejects.toMatchObject({ code: 1000 });
  expect(await cancelInvocation(fixture.deps, operator, { id, origin })).toMatchObject({
    state: 'Cancelled',
  });
});
