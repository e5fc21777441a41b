import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CommandMessages } from '../../src/commands/execution/command-messages.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { wholePayload } from '../../src/gateway/broker/whole-payload.ts';
import {
  type CommandFixture,
  createCommandFixture,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

const NAME = 'acme-join';
const OLD = 'old-horse-battery';
const NEW = 'new-horse-battery';
const content = `schemaVersion: '2.2'
parameters:
  key: { type: String, default: '{{ssm:wifi.key}}', allowedPattern: '^[a-z-]+$', interpolationType: ENV_VAR }
  note: { type: String, default: '' }
mainSteps:
  - action: aws:runShellScript
    name: join
    inputs: { runCommand: ['echo {{ssm:banner}} {{ note }}'] }
`;
const administrator = viewerWith('Administrator');
let test: TestDatabase;
let fixture: CommandFixture;
let deviceId = '';

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await createDocument(fixture.deps, administrator, {
    name: NAME,
    description: '',
    consequence: 'changes',
    secretParameters: [],
    labels: {},
    content,
    note: '',
    origin,
  });
  await publishVersion(fixture.deps, administrator, { name: NAME, version: 1 });
  [deviceId = ''] = await seedDevices(test.database, [{}]);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.stored.length = 0;
  fixture.stored.push(
    { name: 'banner', version: 7, type: 'String', value: 'Hello {{ note }}' },
    { name: 'wifi.key', version: 1, type: 'SecureString', value: OLD },
  );
});

const run = (parameters: Record<string, unknown> = {}) =>
  runCommand(
    fixture.deps,
    administrator,
    runInput({
      command: 'document',
      document: NAME,
      target: { kind: 'devices', deviceIds: [deviceId] },
      parameters,
    }),
  );

async function messageOf(runId: string): Promise<Record<string, unknown>> {
  const now = new Date();
  const messages = new CommandMessages({ ...fixture.deps, artefactUploadUrl: () => null });
  const claimed = { id: randomUUID(), deviceId, attempt: 1, deliverBefore: now, expiresAt: now };
  const make = await messages.makerOf(runId);
  const [message] = await make([claimed]);
  return JSON.parse(message ? wholePayload(message) : '') as Record<string, unknown>;
}

async function outputOf(invocationId: string | null, text: string): Promise<string> {
  await test.database.orm.execute(sql`
    insert into invocation_output (invocation_id, stream, "offset", text)
    values (${invocationId}, 'stdout', 0, ${text})`);
  await test.database.orm.execute(sql`
    update invocation set stdout_length = ${text.length}, output_preview = ${text} where id = ${invocationId}`);
  const read = { id: invocationId ?? '', stdoutFrom: 0, stderrFrom: 0 };
  const detail = await getInvocation(fixture.deps, administrator, read);
  return `${detail.stdout.text}|${detail.outputPreview}`;
}

it('a device gets the values, nothing else does, and the audit trail contains their names', async () => {
  const made = await run();
  expect(await messageOf(made.id)).toMatchObject({
    parameters: { key: OLD, note: '' },
    storeValues: { 'ssm:banner': 'Hello {{ note }}', 'ssm:wifi.key': OLD },
  });
  expect(made.parameters).toEqual({ key: '{{ssm:wifi.key}}', note: '' });
  const { rows } = await test.database.orm.execute(sql`
    select data from audit_event where type = 'command.requested' and data->>'runId' = ${made.id}`);
  expect(JSON.stringify(rows)).not.toContain(OLD);
  expect((rows[0] as { data: Record<string, unknown> }).data['storeParameters']).toEqual(
    expect.arrayContaining(['banner:7', 'wifi.key:1']),
  );
  const stored = await test.database.orm.execute(
    sql`select (select string_agg(r::text, '') from command_run r) ||
               (select string_agg(s::text, '') from secure_value s) as text`,
  );
  expect(String(stored.rows[0]?.['text'])).not.toContain(OLD);
});

it('typed text is never resolved as a parameter store reference', async () => {
  const made = await run({ note: '{{ssm:wifi.key}}' });
  expect(await messageOf(made.id)).toMatchObject({ parameters: { note: '{{ssm:wifi.key}}' } });
});

it('a missing or invalid parameter prevents the run', async () => {
  fixture.stored.pop();
  await expect(run()).rejects.toMatchObject({
    errorName: 'invalidParameters',
    facts: { parameter: 'wifi.key' },
  });
  fixture.stored.push({
    name: 'wifi.key',
    version: 1,
    type: 'SecureString',
    value: 'Not Fitting 1',
  });
  const refused = await run().catch((error: unknown) => error);
  expect(refused).toMatchObject({ issues: [{ path: ['parameters', 'key'] }] });
  expect(JSON.stringify(refused)).not.toContain('Fitting');
  // With an explicit value, the missing parameter is not needed.
  fixture.stored.pop();
  expect(await messageOf((await run({ key: 'typed' })).id)).toMatchObject({
    parameters: { key: 'typed' },
  });
});

it('a secret is masked in output with its earlier values, and a rerun uses the current value', async () => {
  const first = await run();
  fixture.stored[1] = { name: 'wifi.key', version: 2, type: 'SecureString', value: NEW };
  const again = await rerunCommand(fixture.deps, administrator, {
    runId: first.id,
    onlyFailed: false,
    answer: null,
    agreement: nothingShown,
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin,
  });
  expect(await messageOf(again.id)).toMatchObject({ parameters: { key: NEW } });
  const shown = await outputOf(again.invocationId, `was ${OLD}, is ${NEW}, Hello\n`);
  expect(shown).not.toContain(OLD);
  expect(shown).not.toContain(NEW);
  expect(shown).toContain('Hello');
  expect(await messageOf(first.id)).toMatchObject({ parameters: { key: OLD } });
});
