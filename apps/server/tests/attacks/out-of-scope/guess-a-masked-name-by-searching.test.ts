import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRunHits } from '../../../src/commands/find-run-hits.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  createCommandFixture,
  may,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const quince: Viewer = { ...viewerWith('Support'), username: 'quince@example.com' };
const faceless = viewerHolding([may(['commands:read'])]);

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const fixture = await createCommandFixture(db.database);
  const deviceIds = await seedDevices(db.database, [{}]);
  const target = { kind: 'devices' as const, deviceIds };
  const marked = runInput({ command: 'logs/tail', target, comment: 'quince and medlar' });
  await runCommand(fixture.deps, viewerWith('Administrator'), marked);
  const { id } = await runCommand(fixture.deps, quince, runInput({ command: 'logs/tail', target }));
  await db.database.orm.execute(sql`
    insert into command_run select (jsonb_populate_record(r, jsonb_build_object(
      'id', gen_random_uuid(), 'idempotency_key', gen_random_uuid()))).*
    from command_run r, generate_series(1, 100) where r.id = ${id}`);
});
afterAll(() => db[Symbol.asyncDispose]());

test('a user cannot infer who sent commands from results that a name displaces in a search', async () => {
  const found = async (viewer: Viewer, text: string) => {
    const [hits] = await findRunHits({ database: db.database }, viewer, {
      texts: [text],
      limit: 200,
    });
    return hits;
  };
  expect(await found(viewerWith('Auditor'), 'quince@')).toHaveLength(100);
  expect(await found(faceless, 'quince@')).toEqual([]);
  for (const text of ['quince', 'medlar']) {
    expect(await found(faceless, text)).toMatchObject([{ label: 'logs/tail' }]);
  }
});
