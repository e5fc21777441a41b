import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BinaryType, Cell } from '../../src/platform/database/binary-array.ts';
import { orderedId } from '../../src/platform/database/ordered-id.ts';
import { arrayOf } from '../../src/platform/database/rows-of.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let setup: TestDatabase;
beforeAll(async () => {
  setup = await createTestDatabase();
});
afterAll(async () => {
  await setup[Symbol.asyncDispose]();
});

/** What PostgreSQL has read, as JSON writes it. */
async function readBack(type: BinaryType, values: readonly Cell[]): Promise<unknown> {
  const { rows } = await setup.database.orm.execute(
    sql`select to_jsonb(${arrayOf(type, values)}) as values`,
  );
  return rows[0]?.['values'];
}

/** What PostgreSQL can store: neither NUL nor half a surrogate pair. */
const text = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((value) => value.replaceAll('\0', '').toWellFormed());
const moment = fc
  .date({ min: new Date('1000-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const arbitraries = {
  text,
  uuid: fc.uuid(),
  integer: fc.integer(),
  bigint: fc.maxSafeInteger(),
  float8: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (value === 0 ? 0 : value)),
  boolean: fc.boolean(),
  jsonb: fc.jsonValue().map((value) => JSON.stringify(value).replaceAll(/\\u0000/g, '')),
  timestamptz: moment,
  bytea: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
} satisfies Record<BinaryType, fc.Arbitrary<Cell>>;

test.for(Object.keys(arbitraries) as BinaryType[])(
  '[binary-array-1] what is written as %s is what PostgreSQL reads',
  async (type) => {
    const cells = fc.array(fc.option(arbitraries[type] as fc.Arbitrary<Cell>), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cells, async (values) => {
        const { rows } = await setup.database.orm.execute(sql`
          select to_jsonb(${sql.param([...values])}::${sql.raw(type)}[]) as values`);
        expect(await readBack(type, values)).toEqual(rows[0]?.['values']);
      }),
      { numRuns: 40 },
    );
  },
);

test('[binary-array-2] what is no uuid or no moment is refused', async () => {
  await expect(readBack('uuid', ['not-a-uuid'])).rejects.toThrow(TypeError);
  await expect(readBack('timestamptz', ['yesterday'])).rejects.toThrow(TypeError);
});

test('[ordered-id-1] ids made by the database are UUIDv7 of the moment, in the order of the rows', async () => {
  const atMs = Date.parse('2026-05-04T03:02:01.123Z');
  const { rows } = await setup.database.orm.execute(sql`
    select ${orderedId(atMs, sql`position`)} as id from generate_series(1, 70000) as position order by position`);
  const ids = rows.map((row) => row['id'] as string);
  expect(new Set(ids).size).toBe(70_000);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of [ids[0], ids[300], ids[69_999]]) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id?.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(atMs);
  }
});
