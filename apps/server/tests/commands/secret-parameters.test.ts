import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishVersion } from '../support/publish-document.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { getRun } from '../../src/commands/get-run.ts';
import { listInvocations } from '../../src/commands/invocations/list-invocations.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  type CommandFixture,
  createCommandFixture,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  viewerWith,
} from '../support/command-fixture.ts';

const SECRET = 'hunter2-hunter2';
let test: TestDatabase;
let fixture: CommandFixture;
let runId = '';
let invocationId = '';
const administrator = viewerWith('Administrator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await createDocument(fixture.deps, administrator, {
    name: 'acme-join-network',
    description: '',
    consequence: 'changes',
    secretParameters: ['passphrase'],
    labels: {},
    content:
      'schemaVersion: "2.2"\nparameters:\n  name: { type: String }\n  passphrase: { type: String }\nmainSteps:\n  - action: aws:runShellScript\n    name: join\n    inputs: { runCommand: ["true"] }\n',
    note: '',
    origin,
  });
  await publishVersion(fixture.deps, administrator, { name: 'acme-join-network', version: 1 });
  const [deviceId = ''] = await seedDevices(test.database, [{}]);
  const run = await runCommand(
    fixture.deps,
    administrator,
    runInput({
      command: 'document',
      document: 'acme-join-network',
      target: { kind: 'devices', deviceIds: [deviceId] },
      parameters: { name: 'guest', passphrase: SECRET },
    }),
  );
  runId = run.id;
  invocationId = run.invocationId ?? '';
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

/** All rows of all tables as text. */
async function everythingStored(): Promise<string> {
  const { rows } = await test.database.pool.query<{ table: string }>(
    "select quote_ident(table_name) as table from information_schema.tables where table_schema = 'public'",
  );
  const texts = await Promise.all(
    rows.map(async ({ table }) => {
      const found = await test.database.pool.query<{ text: string }>(
        `select coalesce(string_agg(row::text, E'\\n'), '') as text from ${table} row`,
      );
      return found.rows[0]?.text ?? '';
    }),
  );
  return texts.join('\n');
}

it('[secret-1] a secret parameter is not in plain text in any table', async () => {
  const stored = await everythingStored();
  expect(stored).toContain('guest');
  expect(stored).not.toContain(SECRET);
});

it('responses show that it exists, but not its value', async () => {
  const run = await getRun(fixture.deps, administrator, runId);
  expect(run.parameters).toEqual({ name: 'guest', passphrase: '••••••••' });
  expect(
    JSON.stringify(
      await getInvocation(fixture.deps, administrator, {
        id: invocationId,
        stdoutFrom: 0,
        stderrFrom: 0,
      }),
    ),
  ).not.toContain(SECRET);
});

it('a device gets the original value, also when the command is run again', async () => {
  const again = await rerunCommand(fixture.deps, administrator, {
    runId,
    onlyFailed: false,
    answer: null,
    agreement: nothingShown,
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin,
  });
  for (const id of [runId, again.id]) {
    const { rows } = await test.database.orm.execute(
      sql`select parameters from command_run where id = ${id}`,
    );
    const stored = (rows[0] as { parameters: Record<string, unknown> }).parameters;
    expect(fixture.deps.vault.open(id, stored)).toEqual({ name: 'guest', passphrase: SECRET });
  }
});

it('an encrypted secret cannot be moved to another run', async () => {
  const { rows } = await test.database.orm.execute(
    sql`select parameters from command_run where id = ${runId}`,
  );
  const stored = (rows[0] as { parameters: Record<string, unknown> }).parameters;
  expect(() => fixture.deps.vault.open(randomUUID(), stored)).toThrow(/auth/);
});

it('output that contains it is masked, across pieces and from any offset', async () => {
  const said = `joining with ${SECRET} now\n`;
  const cut = 20;
  for (const [offset, text] of [
    [0, said.slice(0, cut)],
    [cut, said.slice(cut)],
  ] as const) {
    await test.database.orm.execute(sql`
      insert into invocation_output values (${invocationId}, 'stdout', ${offset}, ${text})`);
  }
  await test.database.orm.execute(sql`
    update invocation set stdout_length = ${said.length}, output_preview = ${said} where id = ${invocationId}`);
  const masked = said.replace(SECRET, '•'.repeat(SECRET.length));
  for (const from of [0, 5, cut, cut + 3]) {
    const { stdout } = await getInvocation(fixture.deps, administrator, {
      id: invocationId,
      stdoutFrom: from,
      stderrFrom: 0,
    });
    expect(stdout).toEqual({
      offset: from,
      text: masked.slice(from),
      total: said.length,
      truncated: false,
    });
  }
  const { rows } = await listInvocations(fixture.deps, administrator, {
    runId,
    deviceId: null,
    states: [],
    pageSize: 25,
    cursor: null,
  });
  expect(rows[0]?.outputPreview).toBe(masked);
});
