import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceImport } from '../../src/imports/advance-import.ts';
import { confirmImport, undoImport } from '../../src/imports/decide-import.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { ImportFixture } from './import-fixture.ts';

const ROWS = 1_200;
const caller = callerOf(administrator);
const content = `serialNumber,name\n${Array.from({ length: ROWS }, (_, index) => `KILL${String(index).padStart(5, '0')},x`).join('\n')}`;

let db: TestDatabase;
let imports: ImportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  imports = new ImportFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

const count = async (query: string): Promise<number> => {
  const { rows } = await db.database.pool.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
};

/** Continues on servers that are killed after some statements each, until the work is done. */
async function finishThroughCrashes(id: string): Promise<number> {
  let kills = 0;
  for (let statements = 1; ; statements += 1) {
    const crash = new CrashInjector();
    crash.killAfter(statements);
    const deps = { ...imports.deps, database: crash.wrap(db.database) };
    try {
      const { state } = await advanceImport(deps, caller, id);
      if (!['checking', 'applying', 'undoing'].includes(state)) return kills;
    } catch (error) {
      if (!isKilled(error)) throw error;
      kills += 1;
    }
  }
}

test('servers that are killed between any statements write and undo each row exactly once', async () => {
  const id = await imports.upload(administrator, { content });
  expect(await finishThroughCrashes(id)).toBeGreaterThan(3);
  await confirmImport(imports.deps, caller, id);
  expect(await finishThroughCrashes(id)).toBeGreaterThan(3);
  expect(await count("select count(*)::int from device where name = 'x'")).toBe(ROWS);
  const created = `select count(*)::int from audit_event where request_id = '${id}' and type = 'device.created'`;
  expect(await count(created)).toBe(ROWS);
  expect((await imports.finish(administrator, id)).counts).toMatchObject({ applied: ROWS });

  await undoImport(imports.deps, caller, id);
  expect(await finishThroughCrashes(id)).toBeGreaterThan(3);
  expect((await imports.finish(administrator, id)).counts).toMatchObject({ undone: ROWS, left: 0 });
  expect(await count('select count(*)::int from device')).toBe(0);
  const { rows } = await db.database.orm.execute(sql`
    select count(*)::int as count from audit_event where request_id = ${id} and type = 'device.deleted'`);
  expect(rows).toEqual([{ count: ROWS }]);
});

test('two requests at the same time write each row once', async () => {
  const { id } = await imports.preview(administrator, {
    content: content.replaceAll('KILL', 'TWIN'),
  });
  await confirmImport(imports.deps, caller, id);
  await Promise.all([1, 2, 3].map(() => imports.finish(administrator, id)));
  const { counts } = await imports.finish(administrator, id);
  expect(counts).toMatchObject({ applied: ROWS, refused: 0 });
});
