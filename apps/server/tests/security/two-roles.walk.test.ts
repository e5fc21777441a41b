import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listIdentityMigrations } from '@deviceportal/identity/migrate-identity';
import { identityMigrations } from '../../src/compose/identity-migrations.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import {
  migrateDatabase,
  MIGRATIONS_FOLDER,
} from '../../src/platform/database/migrate-database.ts';
import { grantTo } from '../../src/platform/database/open-migrated.ts';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';
import { programEnv } from '../support/programs/program-env.ts';
import {
  createTwoRoleDatabase,
  type TwoRoleDatabase,
} from '../support/database/two-role-database.ts';
import { commandFile } from '../support/programs/program-files.ts';

const LIMIT_MS = 120_000;
const resources = new AsyncDisposableStack();
let database: TwoRoleDatabase;
let portal: PortalPrograms;
let person: PortalPerson;
let agent: AgentProgram;

beforeAll(async () => {
  database = resources.use(await createTwoRoleDatabase());
  portal = resources.use(await PortalPrograms.prepare());
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

/** What the server of an operator knows: not the owner's password. */
const runtimeOnly = () => ({ DEVICEPORTAL_DATABASE_URL: database.runtimeUrl });

async function run(
  program: string,
  words: readonly string[] = [],
  settings: Readonly<Record<string, string>> = runtimeOnly(),
) {
  const child = spawn(
    process.execPath,
    [commandFile(program), ...words, '--data-dir', portal.dataDir],
    {
      env: { ...programEnv, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, output: out + errors };
}

const migrate = () =>
  run('migrate', [], {
    ...runtimeOnly(),
    DEVICEPORTAL_DATABASE_OWNER_URL: database.ownerUrl,
  });

/** All migrations but the newest of the sign-in service. */
async function migrateAllButSignIn(folder = MIGRATIONS_FOLDER): Promise<void> {
  const before = (await listIdentityMigrations()).at(-2) ?? '';
  await using owner = openDatabase({ url: database.ownerUrl });
  await using runtime = openDatabase({ url: database.runtimeUrl });
  await migrateDatabase(owner, identityMigrations, { folder, steps: { identity: before } });
  await grantTo(owner, runtime);
}

/** All migrations but the newest, of the sign-in service neither. */
async function migrateToReleaseBefore(): Promise<void> {
  const folder = join(portal.dataDir, 'release-before');
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: unknown[] };
  journal.entries.pop();
  await writeFile(path, JSON.stringify(journal));
  await migrateAllButSignIn(folder);
}

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
const asServer = (statement: string) => query(database.runtimeUrl, statement);

describe('an external database with two roles', () => {
  test(
    '[two-roles-1] without the owner a server makes no schema, and says what is missing',
    async () => {
      await expect(portal.startServer(runtimeOnly())).rejects.toThrow(/npm run migrate/);
    },
    LIMIT_MS,
  );

  test(
    '[two-roles-2] on the schema of the release before it asks for the migration',
    async () => {
      await migrateToReleaseBefore();
      await expect(portal.startServer(runtimeOnly())).rejects.toThrow(/npm run migrate/);
    },
    LIMIT_MS,
  );

  test(
    '[two-roles-10] where only the tables of sign-in are of the release before, it asks for the migration, too',
    async () => {
      await migrateAllButSignIn();
      await expect(portal.startServer(runtimeOnly())).rejects.toThrow(/npm run migrate/);
    },
    LIMIT_MS,
  );

  test(
    '[two-roles-3] the owner migrates, and the server starts with its own role alone',
    async () => {
      expect(await migrate()).toEqual({
        code: 0,
        output: expect.stringContaining('The database schema is up to date.'),
      });
      await portal.startServer(runtimeOnly());
      expect(portal.server.output).not.toMatch(/owns its tables|permission denied/);
    },
    LIMIT_MS,
  );

  test(
    '[two-roles-4] people sign in, an agent enrolls, a command runs, and the trail is sealed',
    async () => {
      person = await PortalPerson.signIn(portal.url);
      agent = portal.startAgent('one', await person.createClaim('one'));
      const deviceId = await person.untilOnline(agent);
      const ended = await person.untilEnded(await person.runShell(deviceId, 'echo two roles'));
      expect(ended).toMatchObject({ state: 'Success', responseCode: 0 });
      expect(ended.stdout.text).toBe('two roles\n');
      await until(async () => (await asServer('select from audit_block')).rowCount !== 0, 20_000);
      expect(await run('verify-audit')).toMatchObject({ code: 0 });
    },
    LIMIT_MS,
  );

  test(
    '[two-roles-5] keys are rotated with the role of the server',
    async () => {
      for (const words of [['rotate', 'installation'], ['rotate', 'device-authority'], ['keys']]) {
        const { code, output } = await run('admin', words);
        expect({ words, code, output }).toMatchObject({ code: 0 });
        expect(output).not.toContain('permission denied');
      }
      await PortalPerson.signIn(portal.url);
    },
    LIMIT_MS,
  );

  test.each([
    ['truncate the trail', 'truncate audit_event'],
    ['truncate its blocks', 'truncate audit_block cascade'],
    ['change an event', "update audit_event set type = 'x'"],
    ['delete an event', 'delete from audit_event'],
    ['change a block', "update audit_block set key_id = 'x'"],
    ['add a column to the trail', 'alter table audit_event add column x text'],
    ['disable its triggers', 'alter table audit_event disable trigger all'],
    ['drop the trail', 'drop table audit_event cascade'],
    ['replace what refuses changes', 'drop function refuse_audit_change() cascade'],
    ['make tables', 'create table public.mine ()'],
    ['forget a migration', 'delete from drizzle.__drizzle_migrations'],
    ['give itself what the owner has', 'reassign owned by current_user to pg_database_owner'],
  ])('[two-roles-6] the role of the server cannot %s', async (_what, statement) => {
    await expect(asServer(statement)).rejects.toThrow(
      /permission denied|must be owner|append-only/,
    );
  });

  test('[two-roles-7] nor become the owner', async () => {
    const owner = new URL(database.ownerUrl).username;
    await expect(asServer(`set role ${owner}`)).rejects.toThrow(/permission denied/);
    await expect(asServer(`alter role ${owner} password 'mine'`)).rejects.toThrow(
      /permission denied|must have/,
    );
  });
});
