import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Consequence } from '@deviceportal/contract/permissions';
import { CommandMessages } from '../../src/commands/execution/command-messages.ts';
import { getCommandForm } from '../../src/commands/catalog/get-command-form.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { whoMayRunDocument } from '../../src/commands/catalog/who-may-run-document.ts';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import { deprecateDocument } from '../../src/documents/deprecate-document.ts';
import { wholePayload } from '../../src/gateway/broker/whole-payload.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishDocument, publishNext, textOf } from '../support/nested-documents.ts';

const administrator = viewerWith('Administrator');
let test: TestDatabase;
let fixture: CommandFixture;
let deviceId = '';

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  [deviceId = ''] = await seedDevices(test.database, [{}]);
});
afterAll(() => test[Symbol.asyncDispose]());

const write = (name: string, content: string, consequence: Consequence = 'reads') =>
  publishDocument(fixture.deps, administrator, { name, content, consequence });
const writeNext = (name: string, content: string, basedOn = 1) =>
  publishNext(fixture.deps, administrator, { name, content, basedOn });

const run = (document: string, viewer = administrator, confirmation = '') =>
  runCommand(
    fixture.deps,
    viewer,
    runInput({
      command: 'document',
      document,
      target: { kind: 'devices', deviceIds: [deviceId] },
      confirmation,
    }),
  );

async function sentWith(runId: string): Promise<Record<string, { version: number }>> {
  const now = new Date();
  const messages = new CommandMessages({ ...fixture.deps, artefactUploadUrl: () => null });
  const claimed = { id: runId, deviceId, attempt: 1, deliverBefore: now, expiresAt: now };
  const make = await messages.makerOf(runId);
  const [message] = await make([claimed]);
  const { documents } = JSON.parse(message ? wholePayload(message) : '') as {
    documents: Record<string, { version: number }>;
  };
  return documents;
}

it('a run keeps the versions with which it was created, and the audit trail contains them', async () => {
  await write('acme-inner', textOf('one'));
  await write('acme-outer', textOf('outer', 'acme-inner'));
  const made = await run('acme-outer');
  await writeNext('acme-inner', textOf('two'));
  expect((await sentWith(made.id))['acme-inner']?.version).toBe(1);
  const later = await run('acme-outer');
  expect(await sentWith(later.id)).toMatchObject({
    'acme-inner': {
      version: 2,
      content: { mainSteps: [{ inputs: { runCommand: ['echo two'] } }] },
    },
  });
  const { rows } = await test.database.orm.execute(sql`
    select data->'subDocuments' as subs from audit_event
    where type = 'command.requested' and data->>'runId' = ${made.id}`);
  expect(rows).toEqual([{ subs: ['acme-inner:1'] }]);
});

it('permission, form, and confirmation are those of the most severe sub-document', async () => {
  await write('acme-wipe', textOf('wipe'), 'destroys');
  await write('acme-looks-harmless', textOf('outer', 'acme-wipe'));
  const form = await getCommandForm(fixture.deps, administrator, {
    command: 'document',
    document: 'acme-looks-harmless',
  });
  expect(form.consequence).toBe('destroys');
  const runners = await whoMayRunDocument(fixture.deps, administrator, 'acme-looks-harmless');
  expect(runners.consequence).toBe('destroys');
  expect(runners.roles.map(({ name }) => name)).not.toContain('Support');
  await expect(run('acme-looks-harmless', viewerWith('Support'))).rejects.toMatchObject({
    errorName: 'noPermission',
  });
  await expect(run('acme-looks-harmless')).rejects.toMatchObject({
    issues: [{ path: ['confirmation'] }],
  });
});

it('documents that reference themselves are rejected on creation', async () => {
  await write('acme-a', textOf('a'));
  await write('acme-b', textOf('b', 'acme-a'));
  const circle = { name: 'acme-a', basedOn: 1, content: textOf('a', 'acme-b'), note: '', origin };
  await expect(addDocumentVersion(fixture.deps, administrator, circle)).rejects.toMatchObject({
    errorName: 'invalidParameters',
    message: expect.stringContaining('acme-a → acme-b → acme-a') as string,
  });
  await expect(write('acme-self', textOf('x', 'acme-self'))).rejects.toMatchObject({
    message: expect.stringContaining('acme-self → acme-self') as string,
  });
});

it('sub-documents that are too deep or do not exist are rejected', async () => {
  await write('acme-d3', textOf('d3'));
  await write('acme-d2', textOf('d2', 'acme-d3'));
  await write('acme-d1', textOf('d1', 'acme-d2'));
  await write('acme-d0', textOf('d0', 'acme-d1'));
  await expect(write('acme-too-deep', textOf('x', 'acme-d0'))).rejects.toMatchObject({
    reason: 'sub-document-too-deep',
    message: expect.stringContaining('acme-too-deep → ') as string,
  });
  await expect(write('acme-lost', textOf('x', 'acme-nowhere'))).rejects.toMatchObject({
    facts: { document: 'acme-nowhere' },
  });
});

it('a deprecated sub-document prevents its documents from being run', async () => {
  await write('acme-gone', textOf('gone'));
  await write('acme-needs-it', textOf('outer', 'acme-gone'));
  await deprecateDocument(fixture.deps, administrator, {
    name: 'acme-gone',
    version: null,
    origin,
  });
  await expect(run('acme-needs-it')).rejects.toMatchObject({
    errorName: 'invalidParameters',
    facts: { document: 'acme-gone', state: 'deprecated' },
  });
});
