import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityMigrations } from '../../apps/server/src/compose/identity-migrations.ts';
import {
  migrateDatabase,
  MIGRATIONS_FOLDER,
} from '../../apps/server/src/platform/database/migrate-database.ts';
import {
  EMBEDDED_RUNTIME_ROLE,
  grantRuntime,
} from '../../apps/server/src/platform/database/runtime-role.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../apps/server/tests/support/database/create-test-database.ts';
import { findBreaks } from './find-breaks.ts';
import { readSchema, type Schema } from './read-schema.ts';
import { kept, releaseBefore, retired } from './release-before.ts';

interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

let db: TestDatabase;
let before: Schema;
let after: Schema;
beforeAll(async () => {
  db = await createTestDatabase({ empty: true });
  await migrateToReleaseBefore();
  before = await schemaOf();
  await migrateDatabase(db.owner, identityMigrations);
  after = await schemaOf();
});
afterAll(() => db[Symbol.asyncDispose]());

async function migrateToReleaseBefore(): Promise<void> {
  const { server, identity } = releaseBefore.migrations;
  const folder = await mkdtemp(join(tmpdir(), 'dp-release-before-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const path = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(path, 'utf8')) as Journal;
    const last = journal.entries.findIndex(({ tag }) => tag === server);
    const entries = journal.entries.slice(0, last + 1);
    await writeFile(path, JSON.stringify({ ...journal, entries }));
    const steps = Object.fromEntries(identityMigrations.map(({ name }) => [name, identity]));
    await migrateDatabase(db.owner, identityMigrations, { folder, steps });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function schemaOf(): Promise<Schema> {
  const client = await db.owner.pool.connect();
  try {
    await grantRuntime(client, EMBEDDED_RUNTIME_ROLE);
    return await readSchema(client, EMBEDDED_RUNTIME_ROLE);
  } finally {
    client.release();
  }
}

const isExpected = (line: string): boolean =>
  line in kept || releaseBefore.unused.some((part) => line.endsWith(`: ${part}`));

describe('a database migrated by this release', () => {
  it('has everything that servers of the release before use, and no rule that rejects what they write', () => {
    expect(before.size).toBeGreaterThan(1_000);
    expect(findBreaks(before, after).filter((line) => !isExpected(line))).toEqual([]);
  });

  it('has a job queue that servers of the release before can open', async () => {
    const file = join(import.meta.dirname, '../../node_modules/pg-boss/package.json');
    const { pgboss } = JSON.parse(await readFile(file, 'utf8')) as { pgboss: { schema: number } };
    expect(pgboss.schema).toBe(releaseBefore.jobsSchema);
  });

  it('is described by lists that name only what exists', () => {
    const breaks = findBreaks(before, after);
    expect(Object.keys(kept).filter((line) => !breaks.includes(line))).toEqual([]);
    expect(retired.filter((part) => !after.has(part))).toEqual([]);
    expect(releaseBefore.unused.filter((part) => !before.has(part))).toEqual([]);
  });
});

/** Each on its own, in a transaction that is rolled back. */
const breaking: readonly [string, string, RegExp][] = [
  ['drops a table', 'drop table finding cascade', /dropped or renamed: table public\.finding$/m],
  ['renames a table', 'alter table device rename to machine', /table public\.device$/m],
  [
    'drops a column',
    'alter table device drop column serial_number cascade',
    /column public\.device\.serial_number$/m,
  ],
  [
    'renames a column',
    'alter table portal_user rename email to mail',
    /column public\.portal_user\.email$/m,
  ],
  [
    'renames a column of the identity service',
    'alter table identity.account rename directory to place',
    /column identity\.account\.directory$/m,
  ],
  [
    'changes a type',
    'alter table outgoing_message alter attempts type bigint',
    /changed from integer to bigint: column public\.outgoing_message\.attempts$/m,
  ],
  [
    'adds a required column',
    "alter table installation_secret add column place text not null default 'x'; alter table installation_secret alter place drop default",
    /new rule: not null public\.installation_secret\.place$/m,
  ],
  [
    'requires a column',
    'alter table portal_user alter email set not null',
    /new rule: not null public\.portal_user\.email$/m,
  ],
  [
    'adds a check',
    'alter table device add check (length(serial_number) < 10) not valid',
    /new rule: constraint public\.device: CHECK/m,
  ],
  [
    'adds a foreign key',
    'alter table person add foreign key (user_id) references portal_user (id) not valid',
    /new rule: constraint public\.person: FOREIGN KEY/m,
  ],
  [
    'adds a unique index',
    'create unique index on device (model)',
    /new rule: unique public\.device btree \(model\)$/m,
  ],
  [
    'drops a unique index, which ON CONFLICT names',
    'alter table portal_user drop constraint portal_user_subject_unique',
    /dropped or renamed: unique public\.portal_user btree \(subject\)$/m,
  ],
  [
    'adds a trigger',
    'create trigger t before insert on device for each row execute function suppress_redundant_updates_trigger()',
    /new rule: trigger public\.device: BEFORE INSERT/m,
  ],
  [
    'drops a function',
    'drop function portal_now(timestamptz) cascade',
    /dropped or renamed: function public\.portal_now\(.*\)$/m,
  ],
  [
    'takes away a privilege',
    `revoke insert on device from ${EMBEDDED_RUNTIME_ROLE}`,
    /privilege insert on public\.device$/m,
  ],
];

describe('a migration that', () => {
  it.each(breaking)('%s is found', async (_what, statement, line) => {
    const client = await db.owner.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement);
      const changed = await readSchema(client, EMBEDDED_RUNTIME_ROLE);
      expect(findBreaks(after, changed).join('\n')).toMatch(line);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.each([
    ['adds a table', 'create table novel (id uuid primary key, name text not null unique)'],
    ['adds an optional column', 'alter table device add column colour text'],
    [
      'adds a column with a default',
      'alter table device add column colour text not null default 0',
    ],
    ['adds an index', 'create index on device (model)'],
    ['drops an index', 'drop index erasure_due'],
    ['allows null', 'alter table device alter model drop not null'],
  ])('%s is allowed', async (_what, statement) => {
    const client = await db.owner.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement);
      const changed = await readSchema(client, EMBEDDED_RUNTIME_ROLE);
      expect(findBreaks(after, changed)).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
