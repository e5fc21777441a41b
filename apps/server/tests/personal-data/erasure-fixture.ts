import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@deviceportal/contract/ids';
import { findUserToErase } from '../../src/access/data/erase-user-queries.ts';
import { findPersonToErase } from '../../src/people/data/erase-person-queries.ts';
import {
  advanceErasures,
  type ErasureDeps,
} from '../../src/personal-data/erase/advance-erasures.ts';
import { beginErasure } from '../../src/personal-data/erase/begin-erasure.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import {
  belongsWith,
  inTransaction,
  type Database,
  type Transaction,
} from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf } from '../support/gateway-fixture.ts';
import { seedUser, type SeededUser } from './seeded-people.ts';

/** Thrown where a server is killed. */
export class Killed extends Error {}

export interface Rows {
  readonly calls: number;
  readonly runs: number;
  readonly notifications: number;
}

/** A database with people, whose erasure the test advances. */
export interface ErasureFixture extends AsyncDisposable {
  readonly portal: TestDatabase;
  readonly deps: ErasureDeps;
  /** A user with rows in large tables, among those of others. */
  user(username: string, rows: Rows): Promise<SeededUser>;
  begin(user: SeededUser, customerId?: string): Promise<string>;
  /** Deps of a server that dies before its first commit, when all work of the transaction is done. */
  dying(): ErasureDeps;
  /** Makes delayed batches due. */
  passTime(): Promise<void>;
  state(id: string): Promise<ErasureState>;
  /** Rows of any table that contain a text. */
  find(text: string): Promise<string[]>;
}

export interface ErasureState {
  readonly round: number;
  readonly changed: number;
  readonly deleted: number;
  readonly failures: number;
  readonly failure: string | null;
  readonly ended: boolean;
}

export async function createErasureFixture(): Promise<ErasureFixture> {
  const portal = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  const { database } = portal;
  const deps: ErasureDeps = {
    ...{ database, changes: createLocalChangeFeed(() => {}) },
    userReportFiles: createDirectoryFiles(join(folder, 'reports')),
    exportFiles: createDirectoryFiles(join(folder, 'exports')),
    keepRegister: async () => {},
  };
  return {
    ...{ portal, deps },
    user: (username, rows) => seedBusyUser(database, username, rows),
    begin: (user, customerId) =>
      inTransaction(database, async (tx) => {
        const found = await findUserToErase(tx, user.id);
        const customer = customerId && (await findPersonToErase(tx, customerId));
        return (await beginErasure(tx, { user: found, customers: customer ? [customer] : [] })).id;
      }),
    dying: () => ({ ...deps, database: { ...database, orm: dyingOrm(database) } as Database }),
    async passTime() {
      await database.pool.query('update erasure set due_at = now() where ended_at is null');
    },
    async state(id) {
      const [row] = await rowsOf<ErasureState>(
        database,
        `select round, changed, deleted, failures, failure, ended_at is not null as ended
         from erasure where id = $1`,
        [id],
      );
      if (row === undefined) throw new Error('no erasure');
      return row;
    },
    find: (text) => findText(portal, text),
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Advances until nothing is due. */
export const advanceAll = (deps: ErasureDeps): Promise<void> =>
  advanceErasures(deps, { limitMs: 120_000 });

function dyingOrm({ orm }: Database): Database['orm'] {
  const transaction = (work: (tx: Transaction) => Promise<unknown>) =>
    orm.transaction(async (tx) => {
      await work(tx);
      throw new Killed();
    });
  // The killed server cannot store that it failed, either.
  const update = (): never => {
    throw new Killed();
  };
  const dying: object = Object.assign(Object.create(orm) as object, { transaction, update });
  return belongsWith(dying as Database['orm'], orm);
}

async function seedBusyUser(
  database: Database,
  username: string,
  { calls, runs, notifications }: Rows,
): Promise<SeededUser> {
  const user = await seedUser(database, username);
  const values = [user.id, username, newId()];
  await database.pool.query(
    `insert into api_call (id, at, user_id, username, address, kind, path, batch_size, duration_ms, status, request_id)
     select gen_random_uuid(), timestamptz '2026-01-01' + make_interval(secs => i / 7),
       case i % 3 when 0 then $3 else $1 end, case i % 3 when 0 then 'other' else $2 end, '192.0.2.77', 'query', 'devices.list', 1, 1, 200, 'r'
     from generate_series(1, $4::int) i`,
    [...values, calls + Math.floor(calls / 2)],
  );
  await database.pool.query(
    `insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256,
       consequence, target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds,
       state, status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before,
       expires_at, ended_at)
     select gen_random_uuid(), gen_random_uuid(), 'logs/tail', 'Doc-' || i % 5, 1, 'x', 'reads', '{}', 'x', '1', '1', 1, 1,
       'done', 'Success', 1, 0, $1, $2, 'r', now(), now(), now()
     from generate_series(1, $3::int) i`,
    [user.id, username, runs],
  );
  await database.pool.query(
    `insert into notification (id, user_id, kind, subject, facts, at, shown, message)
     select gen_random_uuid(), case i % 2 when 0 then $1::uuid else $2::uuid end, 'report-ready',
       gen_random_uuid()::text, jsonb_build_object('by', $3::text), now(), true, 'none'
     from generate_series(1, $4::int) i`,
    [user.id, values[2], username, notifications * 2],
  );
  return user;
}

async function findText({ owner }: TestDatabase, text: string): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    owner,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'identity', 'jobs') and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf<{ count: number }>(
      owner,
      `select count(*)::int as count from ${name} t where strpos(lower(t::text), lower($1)) > 0`,
      [text],
    );
    if (rows[0]?.count) found.push(`${name}: ${rows[0].count}`);
  }
  return found;
}
