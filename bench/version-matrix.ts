import { parseArgs } from 'node:util';
import { deviceFilterSchema, deviceSorts } from '@deviceportal/contract/devices';
import { tavState } from '@deviceportal/contract/states';
import { listDevices } from '../apps/server/src/devices/list/list-devices.ts';
import { inTransaction, type Database } from '../apps/server/src/platform/database/database.ts';
import type { Caller } from '../apps/server/src/platform/viewer.ts';
import { getVersionMatrix } from '../apps/server/src/versions/get-version-matrix.ts';
import { approveSoftware } from '../apps/server/src/versions/approve-software.ts';
import { restateDevices } from '../apps/server/src/versions/restate-devices.ts';
import { recountCells } from '../apps/server/src/versions/data/cell-state-queries.ts';
import { fillFleet, writeInBulk } from './device-list-fleet.ts';
import { administrator } from './support/administrator.ts';
import { openFleetFixture } from './support/fleet-fixture.ts';

const MATRIX_LIMIT_MS = 200;
const PAGE_LIMIT_MS = 25;
const ROUNDS = 30;
const PAGE_ROUNDS = 3;
const RESTATE_LIMIT_MS = 600_000;
const COMPONENTS = ['firmware', 'os', 'radio'];
/**
 * Components with approvals; "os" correlates with the device's age, so that devices with the same
 * state are adjacent.
 */
const STATED = ['', 'firmware:', 'os:'];

/**
 * Measures approved vs. installed versions, and the device list filtered by state, on a separate
 * database: `--size 1000000`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: 'string', default: '1000000' } } });
  const size = Number(values.size);
  await using setup = await openFleetFixture({
    keepIn: undefined,
    maxConnections: 4,
    fill: (database) => fillFleet(database, size),
  });
  const { database } = setup;
  await timed(`${size} devices × ${COMPONENTS.length} components reported`, () =>
    installSoftware(database, size),
  );
  await approve(database);
  await timed('everything counted anew', () => inTransaction(database, recountCells));
  await writeStates(database);
  await measureChange(database);
  await database.pool.query('vacuum (analyze) device_tav');
  await database.pool.query('vacuum (analyze) device_status');
  await measureMatrix(database);
  await measureList(database);
}

/** Inserted without triggers, as in a restore, because these would take as long as the inserts. */
async function installSoftware(database: Database, size: number): Promise<void> {
  await database.pool.query('alter table device_version disable trigger user');
  for (const component of COMPONENTS) {
    const minor = component === 'os' ? `n * 16 / ${size}` : 'hashint4(n::int) & 15';
    await database.pool.query(
      `insert into device_version (device_id, component, version, since, reported_at)
       select id, $1, '4.' || (${minor}) || '.0', now(), now()
       from (select id, row_number() over (order by id) - 1 as n from device) d`,
      [component],
    );
  }
  await database.pool.query('alter table device_version enable trigger user');
  await database.pool.query('vacuum (analyze) device_version');
}

/**
 * A version for each model, and a different one in one country: some devices are older, some newer,
 * few blocked.
 */
async function approve(database: Database): Promise<void> {
  await database.pool.query(
    `insert into version_approval (component, model, country, version, approved_by)
     select distinct 'firmware', model, place.country, place.version, 'bench'
     from device cross join (values ('*', '4.12.0'), ('DE', '4.15.0')) as place(country, version)
     where model <> 'terminal'
     union all select 'os', '*', '*', '4.8.0', 'bench'`,
  );
  await database.pool.query(
    `insert into software_version (component, version, state)
     values ('firmware', '4.0.0', 'blocked'), ('os', '4.12.0', 'approved')`,
  );
}

/**
 * Writes in bulk what triggers and job write row by row; the last round of the job finds nothing to
 * correct.
 */
async function writeStates(database: Database): Promise<void> {
  const stated = `select v.device_id, v.component, c.state, d.serial_rank, d.name
    from device_version v join device d on d.id = v.device_id and d.lifecycle <> 'retired'
    join version_cell c on c.component = v.component and c.version = v.version and c.model = d.model
      and c.country = d.country and c.state is not null`;
  await writeInBulk(
    database,
    ['device_tav', 'device_status'],
    [
      `insert into device_tav (device_id, component, state, serial_rank, name) ${stated} order by 1`,
      `insert into device_tav (device_id, component, state, serial_rank, name)
       select distinct on (device_id) device_id, '', state, serial_rank, name from device_tav
       order by device_id, tav_rank(state) desc`,
      `update device_status s set tav_state = t.state from device_tav t
       where t.device_id = s.device_id and t.component = ''`,
      'vacuum full device_status',
    ],
  );
  await timed('every device looked at, none changed', () => restateAll(database));
}

const restateAll = (database: Database) =>
  restateDevices({ database }, { limitMs: RESTATE_LIMIT_MS });

/**
 * Approves another version of "os" for all: devices with 4.8 to 4.12, five of sixteen, change their
 * state.
 */
async function measureChange(database: Database): Promise<void> {
  const caller: Caller = { viewer: administrator, requestId: 'bench', address: '127.0.0.1' };
  await timed('another version approved', () =>
    approveSoftware({ database, clock: () => new Date() }, caller, {
      component: 'os',
      version: '4.12.0',
      model: '*',
      country: '*',
      mandatoryFrom: null,
    }),
  );
  await timed('and every device told', () => restateAll(database));
}

async function measureMatrix(database: Database): Promise<void> {
  const samples: number[] = [];
  let cells = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    const matrix = await getVersionMatrix({ database }, administrator, 'firmware');
    samples.push(performance.now() - startedMs);
    cells = matrix.rows.reduce((sum, row) => sum + row.cells.length, 0);
  }
  const worstMs = Math.max(...samples);
  console.log(`matrix of ${cells} cells: worst of ${ROUNDS} ${worstMs.toFixed(1)} ms`);
  console.log(
    `ratio to the limit of ${MATRIX_LIMIT_MS} ms: ${(worstMs / MATRIX_LIMIT_MS).toFixed(2)}`,
  );
  if (worstMs > MATRIX_LIMIT_MS) process.exitCode = 1;
}

/**
 * First pages of every state, of the worst component and of single ones, with all sort orders in
 * both directions.
 */
async function measureList(database: Database): Promise<void> {
  const deps = { database, clock: () => new Date() };
  const samples: { readonly ms: number; readonly what: string }[] = [];
  let early = 0;
  const cells = STATED.flatMap((component) =>
    Object.keys(tavState).flatMap((state) =>
      [null, 'PL'].flatMap((country) =>
        deviceSorts.flatMap((sort) =>
          [true, false].map((descending) => ({
            value: component + state,
            country,
            sort,
            descending,
          })),
        ),
      ),
    ),
  );
  for (let round = 0; round <= PAGE_ROUNDS; round += 1) {
    for (const { value, country, sort, descending } of cells) {
      const filter = deviceFilterSchema.parse({
        tokens: [
          { key: 'tavState', operator: '=', values: [value] },
          ...(country === null ? [] : [{ key: 'country', operator: '=', values: [country] }]),
        ],
      });
      const input = { filter, sort, descending, pageSize: 25, cursor: null };
      const startedMs = performance.now();
      const page = await listDevices(deps, administrator, input);
      const ms = performance.now() - startedMs;
      if (round === 0) continue;
      if (!page.complete) early += 1;
      const what = `${value}${country === null ? '' : ` in ${country}`} by ${sort}${descending ? ' desc' : ''}`;
      samples.push({
        ms,
        what: `${what}${page.complete ? '' : `, ${page.rows.length} rows early`}`,
      });
    }
  }
  const sorted = samples.toSorted((one, other) => one.ms - other.ms);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]?.ms ?? NaN;
  console.log(
    `first pages of a state: p50 ${sorted[Math.floor(sorted.length / 2)]?.ms.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `ratio ${(p99 / PAGE_LIMIT_MS).toFixed(2)} of ${PAGE_LIMIT_MS} ms, ${early} of ${sorted.length} answered early`,
  );
  for (const { ms, what } of sorted.slice(-5)) console.log(`  ${ms.toFixed(1)} ms  ${what}`);
  if (p99 > PAGE_LIMIT_MS) process.exitCode = 1;
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  const found = await work();
  const spentMs = performance.now() - startedMs;
  console.log(`${what}: ${spentMs.toFixed(0)} ms${typeof found === 'string' ? ` (${found})` : ''}`);
}

await main();
