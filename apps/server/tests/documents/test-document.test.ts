import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocumentTestRunner } from '../../src/documents/run-document-test.ts';
import { testDocument, type TestDocument } from '../../src/documents/test-document.ts';
import {
  createCommandFixture,
  origin,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const program = join(import.meta.dirname, '../../../agent/src/fleet/document-test/main.ts');
const administrator = viewerWith('Administrator');
let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  fixture.stored.push({ name: 'key', version: 1, type: 'SecureString', value: 'correct-horse' });
});
afterAll(() => test[Symbol.asyncDispose]());

const content = `schemaVersion: '2.2'
parameters:
  word: { type: String, default: '{{ssm:key}}', allowedPattern: '^[a-z-]+$' }
mainSteps:
  - action: aws:runShellScript
    name: say
    inputs: { runCommand: ['echo {{ word }} {{ssm:key}}'] }
  - action: aws:runDocument
    name: restart
    inputs: { documentType: SSMDocument, documentPath: DevicePortal-restart-service, documentParameters: { service: chronyd } }
`;
const attempt = (more: Partial<TestDocument> = {}) =>
  testDocument(
    { ...fixture.deps, runDocumentTest: createDocumentTestRunner(program) },
    administrator,
    {
      name: 'acme-draft',
      version: null,
      content,
      phasesText: '',
      parameters: {},
      model: 'K200',
      fault: 'clock',
      undo: false,
      origin,
      ...more,
    },
  );

it('a draft is tested with its sub-documents, reads no parameter store value, and writes one event', async () => {
  const { events, changes } = await attempt();
  const output = events.map((event) => (event.kind === 'output' ? event.text : '')).join('');
  expect(output).toContain('[key] [key]\n');
  expect(output).toContain('chronyd: active');
  expect(JSON.stringify(events)).not.toContain('correct-horse');
  expect(changes.map(({ what }) => what)).toEqual(['clock.offset']);
  const { rows } = await test.database.orm.execute(sql`
    select actor_name as by, device_id as device, data->>'document' as document, data->'results' as results
    from audit_event where type = 'document.tried'`);
  expect(rows).toMatchObject([{ device: null, document: 'acme-draft', results: ['Success'] }]);
  const runs = await test.database.orm.execute(sql`select count(*)::int as runs from command_run`);
  expect(runs.rows).toEqual([{ runs: 0 }]);
});

it('an invalid text is reported like when it is saved or run', async () => {
  await expect(attempt({ content: 'mainSteps: []' })).rejects.toMatchObject({
    errorName: 'invalidParameters',
  });
  await expect(attempt({ parameters: { word: 'NO' } })).rejects.toMatchObject({
    issues: [{ path: ['parameters', 'word'] }],
  });
});

it('[document-test-12] a test that does not end is reported as an error', async () => {
  const runDocumentTest = createDocumentTestRunner(join(import.meta.dirname, 'no-such-program.ts'));
  await expect(runDocumentTest({})).rejects.toMatchObject({ errorName: 'commandFailed' });
});
