import { parseArgs } from 'node:util';
import { insertPeople, type PersonDraft } from '../apps/server/src/people/data/insert-people.ts';
import { inTransaction, type Database } from '../apps/server/src/platform/database/database.ts';
import { openFleetFixture } from './support/fleet-fixture.ts';
import { nameOf } from './support/people-names.ts';

const BATCH = 1_000;
/** How many times as long an insert may take because people are searchable. */
const LIMIT = 1.5;

/**
 * Measures inserts of people in batches, as in an import, with and without the triggers that make them searchable by
 * sound and in pinyin (`person_search`), alternately on one database: `--size 50000 --rounds 3`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const size = Number(values.size);
  await using setup = await openFleetFixture({
    ...{ keepIn: undefined, maxConnections: 2 },
    fill: (database) => insertAll(database, 0, size),
  });
  const { database } = setup;
  const rates = { searchable: [] as number[], plain: [] as number[] };
  let next = size;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const kind of ['plain', 'searchable'] as const) {
      const state = kind === 'searchable' ? 'enable' : 'disable';
      await database.pool.query(`alter table person ${state} trigger person_found_inserted`);
      await database.pool.query('checkpoint');
      const startedMs = performance.now();
      await insertAll(database, next, size);
      const rate = (size * 1_000) / (performance.now() - startedMs);
      next += size;
      rates[kind].push(rate);
      console.log(`${kind.padEnd(10)} ${rate.toFixed(0)} people/s`);
    }
  }
  const ratio = Math.max(...rates.plain) / Math.max(...rates.searchable);
  console.log(`ratio of the best rounds: ${ratio.toFixed(2)} (limit ${LIMIT})`);
  if (ratio > LIMIT) process.exitCode = 1;
}

async function insertAll(database: Database, from: number, count: number): Promise<void> {
  for (let first = from; first < from + count; first += BATCH) {
    const people = Array.from({ length: BATCH }, (_, index) => draft(first + index));
    await inTransaction(database, (tx) => insertPeople(tx, people));
  }
}

function draft(n: number): PersonDraft {
  return {
    ...{ username: `user${n}`, name: nameOf(n), email: `u.${n.toString(16)}@example.com` },
    ...{ phone: `+4916${String(n).padStart(8, '0')}`, country: 'DE', language: 'en' },
  };
}

await main();
