import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { runCommand } from '../../src/commands/run-command.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { composeSearch } from '../../src/compose/compose-search.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { findAnything, type SearchDeps } from '../../src/search/find-anything.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { runInput, seedDevices, shownDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const administrator = viewerWith('Administrator');
const polish = viewerWith('Administrator', { ...everywhere, countries: ['PL'] });
const german = viewerWith('Administrator', { ...everywhere, countries: ['DE'] });
/** With a character that has a meaning in patterns, at which `quince` could match `qu_nce`. */
const NAME = 'quince 100% of_all';

let db: TestDatabase;
let search: SearchDeps;

beforeAll(async () => {
  db = await createTestDatabase();
  const fixture = await createAirBlastFixture(db.database);
  search = composeSearch({ database: db.database, clock: () => new Date() });
  await addNamed(fixture, await seedDevices(db.database, [{ country: 'DE' }]));
});
afterAll(() => db[Symbol.asyncDispose]());

/** One of each small domain, with the same name, about devices in Germany. */
async function addNamed({ deps, plan }: AirBlastFixture, deviceIds: string[]): Promise<void> {
  const target = { kind: 'devices' as const, deviceIds };
  await runCommand(deps, administrator, runInput({ command: 'logs/tail', target, comment: NAME }));
  const { idempotencyKey: _key, ...run } = runInput({ command: 'restart/agent' });
  await createSchedule(deps, administrator, {
    ...run,
    target,
    agreement: shownDevices(deviceIds),
    confirmation: '',
    id: newId(),
    name: NAME,
    times: { kind: 'cron', cron: '0 0 1 1 *', timeZone: 'Europe/Berlin' },
    missed: 'skip',
    freeze: false,
    origin: { requestId: 'request-1', address: '192.0.2.7' },
  });
  await plan(administrator, deviceIds, { name: NAME });
  const { orm } = db.database;
  await orm.execute(
    sql`update document set description = ${NAME} where name = 'DevicePortal-logs-tail'`,
  );
  await orm.execute(sql`insert into software_version (component, version) values (${NAME}, '1.0')`);
}

async function kindsOf(viewer: Viewer, texts: readonly string[]): Promise<string[][]> {
  const found = await Promise.all(
    search.smallFinders.map(({ find }) => find(viewer, { texts, limit: 7 })),
  );
  return texts.map((_, at) => found.flatMap((each) => (each[at] ?? []).map(({ kind }) => kind)));
}
const every = ['run', 'air-blast', 'schedule', 'document', 'software'];

test('each of several texts finds what it finds alone, in all domains', async () => {
  const texts = ['quince', 'no such words', 'QUINCE 100%', '100% quince', 'of_all'];
  expect(await kindsOf(administrator, texts)).toEqual([every, [], every, every, every]);
  expect(await kindsOf(administrator, ['quince'])).toEqual([every]);
});

test('the characters % and _ are found as such', async () => {
  expect(
    await kindsOf(administrator, ['qu_nce', 'q%e', '10%', 'ofxall', String.raw`q\uince`]),
  ).toEqual([[], [], [], [], []]);
});

test('runs and rollouts outside the scope are not found by any of several texts', async () => {
  const shared = ['document', 'software'];
  expect(await kindsOf(polish, ['quince', 'of_all'])).toEqual([shared, shared]);
  // A schedule is visible to its creator, and to those who see all devices.
  const own = ['run', 'air-blast', ...shared];
  expect(await kindsOf(german, ['quince'])).toEqual([own]);
});

test('a search asks each small domain for the typed text, and once more for all corrected texts', async () => {
  const asked: (readonly string[])[][] = search.smallFinders.map(() => []);
  const counted = {
    ...search,
    smallFinders: search.smallFinders.map(({ kinds, find }, at) => ({
      kinds,
      find: (...given: Parameters<typeof find>) => {
        asked[at]?.push(given[1].texts);
        return find(...given);
      },
    })),
  };
  await db.database.pool.query(
    `insert into search_word (word) values ('observatory'), ('marmalade'), ('marmelade')`,
  );

  await findAnything(counted, administrator, {
    input: { text: 'obsrevatory-mermalade', kinds: [] },
  });

  const corrected = ['observatory marmalade', 'observatory-marmalade'];
  for (const each of asked) {
    expect(each).toEqual([['obsrevatory-mermalade'], expect.arrayContaining(corrected)]);
  }
});
