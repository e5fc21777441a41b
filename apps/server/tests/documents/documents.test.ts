import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDocumentsInput } from '@deviceportal/contract/documents';
import {
  builtinCommands,
  builtinConsequences,
} from '../../src/commands/catalog/builtin-commands.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import { createDocument, type CreateDocument } from '../../src/documents/create-document.ts';
import { deprecateDocument } from '../../src/documents/deprecate-document.ts';
import { exportDocument } from '../../src/documents/export-document.ts';
import { getDocument } from '../../src/documents/get-document.ts';
import { getDocumentVersion } from '../../src/documents/get-document-version.ts';
import { listDocuments } from '../../src/documents/list-documents.ts';
import {
  loadBuiltinDocuments,
  readBuiltinDocuments,
} from '../../src/documents/load-builtin-documents.ts';
import { setDefaultVersion } from '../../src/documents/set-default-version.ts';
import { publishVersion } from '../support/publish-document.ts';
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

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const text = (said: string): string =>
  `schemaVersion: '2.2'\n# as it was written\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['echo ${said}'] }\n`;

const create = (name: string) =>
  createDocument(fixture.deps, operator, {
    name,
    description: 'says something',
    consequence: 'reads',
    secretParameters: [],
    labels: { team: 'field' },
    content: text('one'),
    note: '',
    origin,
  });

const version = (name: string, basedOn: number, said: string) =>
  addDocumentVersion(fixture.deps, operator, {
    name,
    basedOn,
    content: text(said),
    note: said,
    origin,
  });

async function auditOf(name: string): Promise<string[]> {
  const { rows } = await test.database.orm.execute(
    sql`select type from audit_event where data->>'document' = ${name} order by at, id`,
  );
  return rows.map((row) => (row as { type: string }).type);
}

const listInput = listDocumentsInput.parse({});

describe('the lifecycle of a document', () => {
  it('every change is a version or a state, and an audit event', async () => {
    const name = 'acme-life';
    expect(await create(name)).toMatchObject({
      state: 'draft',
      defaultVersion: null,
      latestVersion: 1,
      versions: [{ version: 1, state: 'draft', own: true, review: null }],
    });
    expect(await publishVersion(fixture.deps, operator, { name, version: 1 })).toMatchObject({
      state: 'active',
      defaultVersion: 1,
      versions: [{ state: 'active', own: false, review: { decision: 'approved' } }],
    });
    expect(await version(name, 1, 'two')).toMatchObject({
      defaultVersion: 1,
      latestVersion: 2,
      versions: [{ state: 'draft' }, { state: 'active' }],
    });
    await expect(
      setDefaultVersion(fixture.deps, operator, { name, version: 2, origin }),
    ).rejects.toMatchObject({ code: 2004, facts: { state: 'draft' } });
    expect(
      await publishVersion(fixture.deps, operator, { name, version: 2, makeDefault: false }),
    ).toMatchObject({ defaultVersion: 1 });
    await setDefaultVersion(fixture.deps, operator, { name, version: 2, origin });
    await deprecateDocument(fixture.deps, operator, { name, version: 1, origin });
    await expect(
      deprecateDocument(fixture.deps, operator, { name, version: 2, origin }),
    ).rejects.toMatchObject({ code: 2004, issues: [{ path: ['version'] }] });
    expect(
      await deprecateDocument(fixture.deps, operator, { name, version: null, origin }),
    ).toMatchObject({ state: 'deprecated', versions: [{ state: 'deprecated' }, {}] });
    expect(await auditOf(name)).toEqual([
      'document.created',
      'document.review-requested',
      'document.approved',
      'document.default-changed',
      'document.version-added',
      'document.review-requested',
      'document.approved',
      'document.default-changed',
      'document.version-deprecated',
      'document.deprecated',
    ]);
    await expect(version(name, 2, 'three')).rejects.toMatchObject({ code: 2004 });
  });

  it('an edit of an older version is a conflict with the newer one', async () => {
    await create('acme-conflict');
    await version('acme-conflict', 1, 'two');
    await expect(version('acme-conflict', 1, 'other')).rejects.toMatchObject({
      code: 2004,
      facts: { latestVersion: 2, createdBy: operator.username },
    });
  });

  it('of two concurrent edits of a version, one is stored and one is a conflict', async () => {
    await create('acme-race');
    const results = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((said) => version('acme-race', 1, said)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getDocument(fixture.deps, operator, 'acme-race')).toMatchObject({
      latestVersion: 2,
    });
  });

  it('a name is unique, and an equal text is not a new version', async () => {
    await create('acme-once');
    await expect(create('acme-once')).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['name'] }],
    });
    await expect(version('acme-once', 1, 'one')).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['content'] }],
    });
  });

  it('a text is returned exactly as written', async () => {
    await create('acme-text');
    const asWritten = { name: 'acme-text', version: 1, format: null };
    expect(await exportDocument(fixture.deps, asWritten)).toMatchObject({
      content: text('one'),
      fileName: 'acme-text-v1.yaml',
      mediaType: 'application/yaml',
    });
    expect(
      await getDocumentVersion(fixture.deps, operator, { name: 'acme-text', version: null }),
    ).toMatchObject({ isDefault: false, state: 'draft', steps: [{ name: 'say' }] });
    await expect(
      getDocumentVersion(fixture.deps, operator, { name: 'acme-text', version: 9 }),
    ).rejects.toMatchObject({ code: 2003 });
  });

  it('a secret parameter must be declared by the document', async () => {
    const input = {
      name: 'acme-secret',
      description: '',
      consequence: 'reads' as const,
      secretParameters: ['pin'],
      labels: {},
      content: text('x'),
      note: '',
      origin,
    } satisfies CreateDocument;
    await expect(createDocument(fixture.deps, operator, input)).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['secretParameters', 0] }],
    });
  });
});

describe('the list', () => {
  it('has pages by name and by time without gaps or duplicates', async () => {
    const everything = (
      await listDocuments(fixture.deps, operator, { ...listInput, pageSize: 100 })
    ).rows.map(({ name }) => name);
    for (const sort of ['name', 'updatedAt'] as const) {
      for (const descending of [false, true]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof listDocuments>> = await listDocuments(
            fixture.deps,
            operator,
            {
              ...listInput,
              sort,
              descending,
              pageSize: 7,
              cursor,
            },
          );
          seen.push(...page.rows.map(({ name }) => name));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(seen.toSorted()).toEqual(everything.toSorted());
      }
    }
  });

  it('shows which commands use a document, when it was last used, and its success rate', async () => {
    const deviceIds = await seedDevices(test.database, [{}]);
    const run = await runCommand(
      fixture.deps,
      operator,
      runInput({ command: 'logs/tail', target: { kind: 'devices', deviceIds } }),
    );
    await test.database.orm.execute(
      sql`update command_run set success_count = 3, failed_count = 1 where id = ${run.id}`,
    );
    const { rows } = await listDocuments(fixture.deps, operator, {
      ...listInput,
      text: 'logs-tail',
    });
    expect(rows).toMatchObject([
      {
        name: 'DevicePortal-logs-tail',
        commands: ['logs/tail'],
        successRate: 0.75,
        lastUsedAt: run.createdAt,
        parameterCount: 3,
        builtin: true,
        platforms: ['Linux', 'MacOS'],
      },
    ]);
    expect(
      (
        await listDocuments(fixture.deps, operator, { ...listInput, consequences: ['destroys'] })
      ).rows.map(({ name }) => name),
    ).toEqual(['DevicePortal-factory-reset']);
  });
});

describe('the documents of a release', () => {
  it('match the catalog entries exactly', async () => {
    const bound = builtinCommands.flatMap(({ documentName }) => documentName ?? []);
    expect((await readBuiltinDocuments()).map(({ name }) => name).toSorted()).toEqual(
      bound.toSorted(),
    );
  });

  it('are loaded idempotently, also by several servers at the same time', async () => {
    const load = () =>
      loadBuiltinDocuments({
        database: test.database,
        clock: fixture.deps.clock,
        consequences: builtinConsequences,
      });
    await Promise.all([load(), load(), load()]);
    const { rows } = await test.database.orm.execute(
      sql`select count(*)::int as count from document_version where created_by = 'Device Portal'`,
    );
    const released = await readBuiltinDocuments();
    expect(rows[0]).toEqual({ count: released.length });
  });

  it('become a new version when changed, which is the default unless a user chose another', async () => {
    const load = (content: string) =>
      loadBuiltinDocuments({
        database: test.database,
        clock: fixture.deps.clock,
        consequences: {},
        documents: [{ name: 'DevicePortal-locate', content }],
      });
    await load(text('release 2'));
    expect(await getDocument(fixture.deps, operator, 'DevicePortal-locate')).toMatchObject({
      defaultVersion: 2,
      latestVersion: 2,
    });
    await version('DevicePortal-locate', 2, 'ours');
    await publishVersion(fixture.deps, operator, { name: 'DevicePortal-locate', version: 3 });
    await load(text('release 3'));
    expect(await getDocument(fixture.deps, operator, 'DevicePortal-locate')).toMatchObject({
      defaultVersion: 3,
      latestVersion: 4,
    });
  });
});
