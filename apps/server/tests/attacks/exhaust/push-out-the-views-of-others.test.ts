import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listViews, saveView } from '../../../src/devices/list/saved-views.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { createCommandFixture, origin, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let test: TestDatabase;
const shared = { screen: 'devices', search: {}, sharedWithRole: 'Support' } as const;

beforeAll(async () => {
  test = await createTestDatabase();
  await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

async function colleague(): Promise<Viewer> {
  const viewer = viewerWith('Support');
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, name)
    values (${viewer.userId}, ${viewer.userId}, ${viewer.userId}, 'Ana')`);
  return viewer;
}

/** As many as one user may have, with names that sort first. */
async function flood(viewer: Viewer): Promise<void> {
  await test.database.orm.execute(sql`
    insert into saved_view (id, owner_id, name, screen, search, shared_with_role)
    select gen_random_uuid(), ${viewer.userId}, '!' || n, 'devices', '{}', 'Support' from generate_series(1, 200) n`);
}

it('users who share as many views as possible cannot hide the views of others', async () => {
  const [me, helpful, ...loud] = await Promise.all(Array.from({ length: 5 }, colleague));
  if (me === undefined || helpful === undefined) throw new Error('not found');
  const save = (viewer: Viewer, name: string, sharedWithRole: string | null) =>
    saveView(
      { database: test.database },
      { viewer, ...origin },
      { ...shared, name, sharedWithRole },
    );
  await save(me, 'Zurich', null);
  await save(helpful, 'Zagreb', 'Support');
  await Promise.all(loud.map(flood));
  const views = await listViews({ database: test.database }, me, 'devices');
  const kept = views.filter(({ builtin }) => !builtin);
  expect(kept[0]).toMatchObject({ name: 'Zurich', mine: true });
  expect(kept.map(({ name }) => name)).toContain('Zagreb');
  expect(kept).toHaveLength(301);
});
