import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  migrateDatabase,
  MIGRATIONS_FOLDER,
} from '../../src/platform/database/migrate-database.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';

const REVIEWED = 'reviewed-document-versions';

/** The migrations of the release before document review. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deviceportal-migrations-'));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] };
  const at = journal.entries.findIndex(({ tag }) => tag.endsWith(REVIEWED));
  expect(at).toBeGreaterThan(0);
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, at) }));
  return folder;
}

test('versions that could be run before still can, and unapproved ones cannot', async () => {
  await using empty = await createTestDatabase({ empty: true });
  const { database } = empty;
  const folder = await earlierMigrations();
  await migrateDatabase(database, [], { folder });
  await rm(folder, { recursive: true });
  const author = newId();
  await database.pool.query(
    `insert into portal_user (id, subject, username, name) values ($1, 'anna', 'Anna@example.com', 'Anna')`,
    [author],
  );
  await database.pool.query(`
    insert into document (name, consequence, secret_parameters, state, builtin, default_version, latest_version, updated_by)
    values ('DevicePortal-x', 'reads', '[]', 'active', true, 2, 3, 'x'),
           ('acme-own', 'disrupts', '["pin"]', 'active', false, 1, 2, 'x'),
           ('acme-draft', 'changes', '[]', 'draft', false, 1, 1, 'x'),
           ('acme-gone', 'changes', '[]', 'deprecated', false, 1, 1, 'x')`);
  await database.pool.query(`
    insert into document_version (document_name, version, format, content, parsed, sha256, created_by)
    select name, version, 'JSON', '{}', '{"mainSteps":[]}', '', author
    from (values ('DevicePortal-x', 1, 'Device Portal'), ('DevicePortal-x', 2, 'anna@example.com'),
                 ('DevicePortal-x', 3, 'anna@example.com'), ('acme-own', 1, 'anna@example.com'),
                 ('acme-own', 2, 'anna@example.com'), ('acme-draft', 1, 'somebody@example.com'),
                 ('acme-gone', 1, 'anna@example.com')) as old(name, version, author)`);
  await migrateDatabase(database);
  const { rows } = await database.pool.query(`
    select document_name || ':' || version as version, state, consequence, secret_parameters as secrets,
           created_by_id as author from document_version order by 1`);
  const row = (version: string, state: string, more: object = {}) => ({
    version,
    state,
    consequence: 'reads',
    secrets: [],
    author,
    ...more,
  });
  expect(rows).toEqual([
    row('DevicePortal-x:1', 'active', { author: null }),
    row('DevicePortal-x:2', 'active'),
    row('DevicePortal-x:3', 'draft'),
    row('acme-draft:1', 'draft', { consequence: 'changes', author: null }),
    row('acme-gone:1', 'deprecated', { consequence: 'changes' }),
    row('acme-own:1', 'active', { consequence: 'disrupts', secrets: ['pin'] }),
    row('acme-own:2', 'draft', { consequence: 'disrupts', secrets: ['pin'] }),
  ]);
  const documents = await database.pool.query(
    `select name, state, default_version as "default" from document order by name`,
  );
  expect(documents.rows).toEqual([
    { name: 'DevicePortal-x', state: 'active', default: 2 },
    { name: 'acme-draft', state: 'draft', default: null },
    { name: 'acme-gone', state: 'deprecated', default: 1 },
    { name: 'acme-own', state: 'active', default: 1 },
  ]);
});
