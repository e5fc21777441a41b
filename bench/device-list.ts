import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import {
  applyConnects,
  applyDisconnects,
} from '../apps/server/src/devices/data/apply-connectivity.ts';
import { listDevices } from '../apps/server/src/devices/list/list-devices.ts';
import { inTransaction, type Database } from '../apps/server/src/platform/database/database.ts';
import {
  cellClasses,
  cells,
  classesThatDoNotGrow,
  type Cell,
  type CellClass,
} from './device-list-cells.ts';
import { fillFleet } from './device-list-fleet.ts';
import { administrator } from './support/administrator.ts';
import { openFleetFixture } from './support/fleet-fixture.ts';

const PAGE_LIMIT_MS = 25;
const FILLED_LIMIT_MS = 150;
const STATUS_LIMIT_MS = 500;
const GROWTH_LIMIT = 1.3;
const LATER_PAGES = 4;
const PAGE_SIZE = 25;

interface Sample {
  readonly ms: number;
  readonly cell: Cell;
  /** Returned early with partial results and a cursor. */
  readonly early?: boolean;
}

interface Samples {
  readonly first: Map<CellClass, Sample[]>;
  readonly later: Map<CellClass, Sample[]>;
  /** From the first call to a full page, over several responses if the first was early. */
  readonly filled: Sample[];
}

interface Options {
  readonly rounds: number;
  readonly worst: boolean;
  /** Folder for reusing filled databases; null for temporary ones. */
  readonly keepIn: string | null;
}

/**
 * Measures the device list for each cell on a separate database. `--sizes 10000,100000 --rounds 3
 * --worst`; `--keep-in <folder>` keeps the database for the next run.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      rounds: { type: 'string', default: '3' },
      worst: { type: 'boolean', default: false },
      'keep-in': { type: 'string' },
    },
  });
  const options: Options = {
    rounds: Number(values.rounds),
    worst: values.worst,
    keepIn: values['keep-in'] ?? null,
  };
  const medians = new Map<number, Map<CellClass, number>>();
  for (const size of values.sizes.split(',').map(Number)) {
    medians.set(size, await measureSize(size, options));
  }
  printGrowth(medians);
}

async function measureSize(size: number, options: Options): Promise<Map<CellClass, number>> {
  await using setup = await openFleetFixture({
    keepIn: options.keepIn === null ? undefined : join(options.keepIn, String(size)),
    maxConnections: 4,
    fill: (database) => fillFleet(database, size),
  });
  const { database, filledMs } = setup;
  console.log(
    `\n${size.toLocaleString('en')} devices (filled in ${(filledMs / 1000).toFixed(1)} s)`,
  );
  await measurePages(database, 1);
  const samples = await measurePages(database, options.rounds);
  printPages(samples, options.worst);
  await measureStatusChanges(database, size);
  return new Map(
    [...samples.first].map(([cellClass, found]) => [cellClass, percentile(found, 0.5)]),
  );
}

async function measurePages(database: Database, rounds: number): Promise<Samples> {
  const samples: Samples = { first: new Map(), later: new Map(), filled: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const cell of cells) await measureCell(database, cell, samples);
  }
  return samples;
}

async function measureCell(database: Database, cell: Cell, samples: Samples): Promise<void> {
  const deps = { database, clock: () => new Date() };
  const filter = deviceFilterSchema.parse(cell.filter);
  let cursor: string | null = null;
  let found = 0;
  let spentMs = 0;
  let filled = false;
  for (let page = 0; page <= LATER_PAGES; page += 1) {
    const startedMs = performance.now();
    const answer: Awaited<ReturnType<typeof listDevices>> = await listDevices(deps, administrator, {
      filter,
      sort: cell.sort,
      descending: cell.descending,
      pageSize: PAGE_SIZE,
      cursor,
    });
    const ms = performance.now() - startedMs;
    spentMs += ms;
    found += answer.rows.length;
    // Continuing after an early response is part of filling the page.
    if (page === 0) push(samples.first, { cell, ms, early: !answer.complete });
    else if (filled) push(samples.later, { cell, ms, early: !answer.complete });
    if (!filled && (found >= PAGE_SIZE || answer.nextCursor === null)) {
      filled = true;
      if (page > 0) samples.filled.push({ ms: spentMs, cell });
    }
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  if (!filled) samples.filled.push({ ms: Infinity, cell });
}

function push(into: Map<CellClass, Sample[]>, sample: Sample): void {
  const list = into.get(sample.cell.class) ?? [];
  list.push(sample);
  into.set(sample.cell.class, list);
}

async function measureStatusChanges(database: Database, size: number): Promise<void> {
  const count = Math.min(5_000, Math.floor(size / 4));
  const found = await database.pool.query<{ id: string }>(
    `select device_id as id from device_status where connectivity = 'online' order by md5(device_id::text) limit ${count}`,
  );
  const at = new Date();
  const rows = found.rows.map(({ id }) => ({
    deviceId: id,
    connectionId: id,
    instanceId: 'mi-00000000000000000',
    agentVersion: '1.2.0',
    ipAddress: null,
    reason: 'connection-lost',
    at,
  }));
  const timings: { ms: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const apply of [applyDisconnects, applyConnects]) {
      const startedMs = performance.now();
      await inTransaction(database, (tx) => apply(tx, rows));
      timings.push({ ms: performance.now() - startedMs });
    }
  }
  const worst = Math.max(...timings.map(({ ms }) => ms));
  console.log(
    `  ${rows.length.toLocaleString('en')} status changes at once: ${fixed(percentile(timings, 0.5))} ms, ` +
      `worst ${fixed(worst)} ms, ratio ${(worst / STATUS_LIMIT_MS).toFixed(2)} of ${STATUS_LIMIT_MS} ms`,
  );
}

function printPages(samples: Samples, worst: boolean): void {
  for (const cellClass of cellClasses) {
    printLine(`${cellClass}, first page`, samples.first.get(cellClass) ?? [], PAGE_LIMIT_MS);
  }
  for (const cellClass of cellClasses) {
    printLine(`${cellClass}, later pages`, samples.later.get(cellClass) ?? [], PAGE_LIMIT_MS);
  }
  printLine('answered early, page filled', samples.filled, FILLED_LIMIT_MS);
  if (!worst) return;
  for (const [kind, found] of [
    ['first', [...samples.first.values()].flat()],
    ['filled', samples.filled],
  ] as const) {
    for (const { ms, cell } of found.toSorted((one, other) => other.ms - one.ms).slice(0, 25)) {
      console.log(
        `    ${kind} ${fixed(ms)} ms  ${cell.name} by ${cell.sort} ${cell.descending ? 'desc' : 'asc'}`,
      );
    }
  }
}

function printLine(title: string, found: readonly Sample[], limitMs: number): void {
  if (found.length === 0) return;
  const p99 = percentile(found, 0.99);
  const { cell } = found.reduce((one, other) => (other.ms > one.ms ? other : one));
  const early = found.filter((each) => each.early).length;
  console.log(
    `  ${title.padEnd(34)} p50 ${fixed(percentile(found, 0.5))} ms  p99 ${fixed(p99)} ms  ratio ${(p99 / limitMs).toFixed(2)} ` +
      `of ${limitMs} ms  (worst: ${cell.name} by ${cell.sort}${cell.descending ? ' desc' : ''})` +
      (early > 0 ? `, ${early} of ${found.length} answered early` : ''),
  );
}

function printGrowth(medians: ReadonlyMap<number, ReadonlyMap<CellClass, number>>): void {
  const sizes = [...medians.keys()];
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  if (smallest === largest) return;
  console.log(
    `\nGrowth of the median first page from ${smallest} to ${largest} devices (limit ${GROWTH_LIMIT}):`,
  );
  for (const cellClass of classesThatDoNotGrow) {
    const small = medians.get(smallest)?.get(cellClass) ?? NaN;
    const large = medians.get(largest)?.get(cellClass) ?? NaN;
    console.log(`  ${cellClass.padEnd(20)} ${(large / small).toFixed(2)}`);
  }
}

function percentile(found: readonly { readonly ms: number }[], share: number): number {
  const sorted = found.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

const fixed = (ms: number): string => ms.toFixed(1).padStart(6);

await main();
