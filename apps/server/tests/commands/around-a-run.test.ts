import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { getCommandForm } from '../../src/commands/catalog/get-command-form.ts';
import { getDocumentUsage } from '../../src/commands/catalog/get-document-usage.ts';
import { getNextRemedies } from '../../src/commands/catalog/get-next-remedies.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { whoMayRunDocument } from '../../src/commands/catalog/who-may-run-document.ts';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import {
  createCommandFixture,
  may,
  origin,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

let test: TestDatabase;
let fixture: CommandFixture;
let deviceIds: string[] = [];
const operator = viewerWith('Operator');
const scopeOf = (country: string) => ({ countries: [country], models: [], labels: {} });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  deviceIds = await seedDevices(test.database, [{ model: 'M1' }, { model: 'M2', country: 'FR' }]);
});
afterAll(() => test[Symbol.asyncDispose]());

const content = `schemaVersion: '2.2'
parameters:
  zulu: { type: String, default: z }
  pin: { type: String, default: '0000' }
  alpha: { type: String }
mainSteps:
  - action: aws:runShellScript
    name: say
    inputs: { runCommand: ['true'] }
`;
const name = 'acme-around';
const form = (viewer = operator, document = name) =>
  getCommandForm(fixture.deps, viewer, { command: 'document', document });
const run = (viewer: typeof operator, alpha: string) =>
  runCommand(
    fixture.deps,
    viewer,
    runInput({
      command: 'document',
      document: name,
      parameters: { alpha, pin: '4321-secret' },
      target: { kind: 'devices', deviceIds },
    }),
  );

describe('the form of a command', () => {
  it('has the parameters of a custom document in their own order', async () => {
    await createDocument(fixture.deps, operator, {
      name,
      description: '',
      consequence: 'reads',
      secretParameters: ['pin'],
      labels: {},
      content,
      note: '',
      origin,
    });
    const draft = await form();
    expect(Object.keys(draft.parameters)).toEqual(['zulu', 'pin', 'alpha']);
    expect(draft).toMatchObject({
      documentState: 'draft',
      approverRoles: ['Administrator'],
      lastValues: null,
    });
    await publishVersion(fixture.deps, operator, { name, version: 1 });
    expect(await form()).toMatchObject({ documentState: 'active' });
  });

  it('offers the values of the user’s last run, without secrets', async () => {
    await run(operator, 'first');
    const latest = await run(operator, 'second');
    await run(viewerWith('Operator'), 'of somebody else');
    expect((await form()).lastValues).toEqual({
      parameters: { zulu: 'z', alpha: 'second' },
      at: latest.createdAt,
    });
    expect((await form(viewerWith('Operator'))).lastValues).toBeNull();
  });

  it('omits values that were secret then or are secret now', async () => {
    await addDocumentVersion(fixture.deps, operator, {
      name,
      basedOn: 1,
      content,
      note: '',
      secretParameters: ['alpha'],
      origin,
    });
    expect((await form(operator, `${name}:2`)).lastValues?.parameters).toEqual({ zulu: 'z' });
  });
});

describe('permissions for a document, and its use', () => {
  it('contain the roles with the permission', async () => {
    await test.database.orm.execute(sql`
      insert into role (id, name, permissions, scope)
      values (${newId()}, 'Tailers', '["commands:run:logs/tail"]', ${JSON.stringify(scopeOf('FR'))}::jsonb)`);
    const tail = await whoMayRunDocument(fixture.deps, operator, 'DevicePortal-logs-tail');
    expect(tail.commands).toEqual(['logs/tail']);
    expect(tail.roles.map(({ name: role }) => role)).toEqual([
      'Administrator',
      'Operator',
      'Support',
      'Tailers',
    ]);
    expect(tail.roles.at(-1)).toMatchObject({
      permissions: ['commands:run:logs/tail'],
      scope: scopeOf('FR'),
    });
    const reset = await whoMayRunDocument(fixture.deps, operator, 'DevicePortal-factory-reset');
    expect(reset).toMatchObject({
      allowed: false,
      missingPermission: 'commands:run:@destroys',
      roles: [{ name: 'Administrator', permissions: ['commands:run:@destroys'], approves: true }],
    });
    await expect(whoMayRunDocument(fixture.deps, operator, 'acme-none')).rejects.toMatchObject({
      code: 2003,
    });
  });

  it('count runs, success, and failing models within the scope', async () => {
    const { id } = await run(operator, 'used');
    await test.database.orm.execute(sql`
      update command_run set success_count = 0, failed_count = 2, pending_count = 0 where id = ${id}`);
    await test.database.orm.execute(
      sql`update invocation set state = 'Failed' where run_id = ${id}`,
    );
    expect(await getDocumentUsage(fixture.deps, operator, name)).toEqual({
      days: 30,
      runs: 4,
      invocations: 8,
      successRate: 0,
      medianDurationMs: null,
      failingModels: [
        { model: 'M1', failed: 1 },
        { model: 'M2', failed: 1 },
      ],
    });
    const french = viewerWith('Support', scopeOf('FR'));
    expect((await getDocumentUsage(fixture.deps, french, name)).failingModels).toEqual([
      { model: 'M2', failed: 1 },
    ]);
  });
});

describe('suggested next steps', () => {
  it('contain only commands that the viewer can run, for an ended command on a visible device', async () => {
    const [deviceId = ''] = deviceIds;
    const { invocationId } = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'storage/usage', target: { kind: 'devices', deviceIds: [deviceId] } }),
    );
    const id = invocationId ?? '';
    expect(await getNextRemedies(fixture.deps, operator, id)).toEqual([]);
    await test.database.orm.execute(sql`
      update invocation set state = 'Success', status_details = 'Success', ended_at = now() where id = ${id}`);
    await test.database.orm.execute(sql`
      update device_status set connectivity = 'offline' where device_id = ${deviceId}`);
    expect(await getNextRemedies(fixture.deps, operator, id)).toMatchObject([
      { command: 'storage/clean', reason: 'succeeded', consequence: 'changes' },
      { command: 'network/diagnose', reason: 'verdict', verdict: { code: 'offline' } },
    ]);
    const reader = viewerHolding([may(['commands:read', 'commands:run:@reads', 'devices:read'])]);
    expect(await getNextRemedies(fixture.deps, reader, id)).toMatchObject([
      { command: 'network/diagnose' },
    ]);
    const blind = viewerHolding([may(['commands:read', 'commands:run:@changes'])]);
    expect(await getNextRemedies(fixture.deps, blind, id)).toMatchObject([
      { command: 'storage/clean' },
    ]);
    const french = viewerWith('Operator', scopeOf('FR'));
    await expect(getNextRemedies(fixture.deps, french, id)).rejects.toMatchObject({ code: 5000 });
  });
});
