import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceFilterSchema, deviceSorts, type DeviceSort } from '@deviceportal/contract/devices';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { refreshDeviceCopies } from '../../src/devices/data/refresh-device-copies.ts';
import { listDeviceIds } from '../../src/devices/list/list-devices.ts';
import { saveFindings } from '../../src/findings/data/finding-queries.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { administrator } from '../devices/viewer-with.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let ids: readonly string[];
const [rule, otherRule] = findingRules;

/** Ten devices; the first six have one finding, and every other of them a second one. */
beforeAll(async () => {
  db = await createTestDatabase();
  ids = await seedDevices(
    db.database,
    Array.from({ length: 10 }, () => ({})),
  );
  for (const [at, id] of ids.entries()) await rename(id, `device-${9 - at}`);
  const found = ids.slice(0, 6).flatMap((deviceId, at) =>
    [rule, ...(at % 2 === 0 ? [otherRule] : [])].map((each) => ({
      deviceId,
      rule: each!,
      severity: 'warning' as const,
      facts: {},
      openedAt: '2026-11-20T12:00:00Z',
    })),
  );
  await inTransaction(db.database, (tx) => saveFindings(tx, found));
});
afterAll(() => db[Symbol.asyncDispose]());

const rename = (id: string, name: string) =>
  inTransaction(db.database, async (tx) => {
    await tx.execute(sql`update device set name = ${name} where id = ${id}`);
    await refreshDeviceCopies(tx, [id]);
  });

/** All pages. */
async function listed(value: string, sort: DeviceSort, country?: string): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { readonly ids: readonly string[]; readonly nextCursor: string | null } =
      await listDeviceIds({ database: db.database, clock: () => new Date() }, administrator, {
        filter: deviceFilterSchema.parse({
          tokens: [
            { key: 'finding', operator: '=', values: [value] },
            ...(country ? [{ key: 'country', operator: '=', values: [country] }] : []),
          ],
        }),
        ...{ sort, descending: false, pageSize: 2, cursor },
      });
    all.push(...page.ids);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

test('lists each device of a finding, or of any finding, once with every sort order', async () => {
  for (const sort of deviceSorts) {
    expect((await listed('any', sort)).toSorted()).toEqual(ids.slice(0, 6).toSorted());
    expect((await listed('any', sort, 'DE')).toSorted()).toEqual(ids.slice(0, 6).toSorted());
    expect((await listed(String(otherRule), sort)).toSorted()).toEqual(
      [ids[0], ids[2], ids[4]].toSorted(),
    );
  }
  expect(await listed('any', 'name')).toEqual(ids.slice(0, 6).toReversed());
});

test('moves a renamed device in the list of its findings', async () => {
  const first = ids[0] ?? '';
  await rename(first, 'a-device');
  for (const value of ['any', String(rule), String(otherRule)])
    expect((await listed(value, 'name'))[0]).toBe(first);
});
