import { deviceFilterSchema, deviceSorts } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { listDevices } from '../apps/server/src/devices/list/list-devices.ts';
import { createFleetSummary } from '../apps/server/src/devices/list/summarize-fleet.ts';
import { createRunTrend, recordRunTrend } from '../apps/server/src/commands/run-trend.ts';
import { createFindingCounts } from '../apps/server/src/findings/count-findings.ts';
import { createFleetTrend } from '../apps/server/src/findings/get-fleet-trend.ts';
import { evaluateDevice } from '../apps/server/src/findings/evaluate-device.ts';
import { runFleetCountRound } from '../apps/server/src/fleet-counts/run-fleet-count-round.ts';
import { runFindingsRound } from '../apps/server/src/findings/run-findings-round.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { fillFleet } from './device-list-fleet.ts';
import { administrator } from './support/administrator.ts';
import { inPoland, openFleetFixture } from './support/fleet-fixture.ts';
import { openFindings } from './support/open-findings.ts';
import { percentile } from './support/portal-process.ts';
import { readFleetSize } from './support/read-fleet-size.ts';

/** Limit for a round of the background job, above which requests would be delayed. */
const ROUND_LIMIT_MS = 250;
const COUNT_LIMIT_MS = 1_000;
const PAGE_LIMIT_MS = 25;
/** Limit for the first user of the home page; later ones get cached counts. */
const HOME_LIMIT_MS = 300;
const TREND_LIMIT_MS = 1_000;
const ROUNDS = 30;
const PAGES = 8;
const OUTCOMES_A_DAY = 20_000;

const clock = () => new Date();

/**
 * Measures the home page's queries and the job that evaluates findings, on a separate database:
 * `--size 1000000 --keep-in <folder>`.
 */
async function main(): Promise<void> {
  const { size, keepIn } = readFleetSize();
  await using setup = await openFleetFixture({
    keepIn,
    maxConnections: 8,
    fill: (database) => fillFleet(database, size),
  });
  const { database } = setup;
  await measureRounds(database);
  await openFindings(database);
  await measureCounting(database);
  await measureHome(database);
  await measureTrends(database);
  await measureList(database);
  await measureDevice(database);
}

/** Evaluates the whole fleet in batches. */
async function measureRounds(database: Database): Promise<void> {
  await database.pool.query('truncate finding, finding_check, finding_progress');
  const deps = {
    ...{ database, clock, changes: createLocalChangeFeed(() => {}) },
    ruleSettings: { supportedCountries: ['DE', 'PL', 'CN', 'US', 'FR', 'BR', 'JP', 'IN'] },
  };
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    await runFindingsRound(deps);
    rounds.push(performance.now() - startedMs);
  }
  const { rows } = await database.pool.query<{ swept: number }>(
    'select swept from finding_progress',
  );
  const seconds = rounds.reduce((sum, ms) => sum + ms, 0) / 1_000;
  report('a round of the background job', rounds, ROUND_LIMIT_MS);
  console.log(`  ${((rows[0]?.swept ?? 0) / seconds).toFixed(0)} devices a second, one connection`);
}

/** Counts the whole fleet for the scopes of two roles, as after an upgrade. */
async function measureCounting(database: Database): Promise<void> {
  await database.pool.query(
    `truncate counted_label_set, fleet_count, fleet_finding_count, counted_device, changed_finding, fleet_count_progress`,
  );
  // No server seals events here, and the counters are not current while older ones are not sealed.
  await database.pool.query('truncate audit_unsealed');
  await database.pool.query(`delete from role where name = 'bench'`);
  await database.pool.query(
    `insert into role (id, name, permissions, scope) values ($1, 'bench', '["devices:read"]', $2)`,
    [newId(), JSON.stringify(inPoland.grants[0]?.scope)],
  );
  const rounds: number[] = [];
  const startedMs = performance.now();
  for (let more = true; more;) {
    const roundMs = performance.now();
    more = await runFleetCountRound({ database, clock });
    rounds.push(performance.now() - roundMs);
  }
  report('a round of counting the fleet', rounds, COUNT_LIMIT_MS);
  console.log(`  counted in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  await database.pool.query('vacuum (analyze) counted_device');
  await measureChanges(database);
}

/** Rounds after each of which as many devices connected or disconnected as one round processes. */
async function measureChanges(database: Database): Promise<void> {
  const rounds: number[] = [];
  for (const [before, after] of [
    ['online', 'degraded'],
    ['degraded', 'online'],
    ['online', 'degraded'],
    ['degraded', 'online'],
  ]) {
    await database.pool.query(
      `with changed as (
         update device_status set connectivity = $2 where device_id in (
           select device_id from device_status where connectivity = $1 and country = 'DE' order by device_id limit 5000)
         returning device_id)
       insert into changed_finding (device_id) select device_id from changed`,
      [before, after],
    );
    const startedMs = performance.now();
    await runFleetCountRound({ database, clock });
    rounds.push(performance.now() - startedMs);
  }
  report('a round with 5,000 changed devices', rounds, COUNT_LIMIT_MS);
}

async function measureHome(database: Database): Promise<void> {
  for (const [title, viewer] of [
    ['sees everything', administrator],
    ['sees one country and label', inPoland],
  ] as const) {
    const first: number[] = [];
    const again: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      // The job runs each second.
      await runFleetCountRound({ database, clock });
      const summary = createFleetSummary({ database, clock });
      const counts = createFindingCounts({ database, clock });
      for (const into of [first, again, again, again]) {
        const startedMs = performance.now();
        await Promise.all([summary(viewer), counts(viewer)]);
        into.push(performance.now() - startedMs);
      }
    }
    report(`home, first of those who ${title}`, first, HOME_LIMIT_MS);
    report('home, everybody after', again, PAGE_LIMIT_MS);
  }
}

/** The trends of 30 days: of runs, from 20,000 outcomes a day, and of the fleet, in all countries and models. */
async function measureTrends(database: Database): Promise<void> {
  await database.pool.query('truncate run_outcome, run_trend, fleet_trend');
  await database.pool.query(`
    insert into run_outcome (run_id, document_name, document_version, is_undo, model, country, labels, succeeded, failed,
      ended_at)
    select gen_random_uuid(), 'd', 1, false, 'M' || n % 20, chr(65 + n % 26) || 'X', '{}', 5, 1,
      now() - make_interval(days => n % 31, secs => n / 31)
    from generate_series(1, 31 * ${OUTCOMES_A_DAY}) n`);
  await database.pool.query(`
    insert into fleet_trend (at, country, model, devices, online, with_findings)
    select date_trunc('hour', now(), 'UTC') - make_interval(hours => h), chr(65 + c) || 'X', 'M' || m, 100, 90, 5
    from generate_series(0, 191) h, generate_series(0, 25) c, generate_series(0, 19) m`);
  await database.pool.query('vacuum (analyze) run_outcome, fleet_trend');
  const deps = { database, clock };
  await recordRunTrend(deps);
  const times = { record: [] as number[], runs: [] as number[], fleet: [] as number[] };
  const measure = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
    const startedMs = performance.now();
    await work();
    into.push(performance.now() - startedMs);
  };
  for (let time = 0; time < 5; time += 1) {
    await measure(times.record, () => recordRunTrend(deps));
    await measure(times.runs, () => createRunTrend(deps)(administrator));
    await measure(times.fleet, () => createFleetTrend(deps)(administrator));
  }
  report('results of runs recorded', times.record, TREND_LIMIT_MS);
  report('trend of runs', times.runs, PAGE_LIMIT_MS);
  report('trend of the fleet, first of those who ask', times.fleet, TREND_LIMIT_MS);
}

async function measureList(database: Database): Promise<void> {
  const first: number[] = [];
  let early = 0;
  let worst = { ms: 0, text: '' };
  for (const rule of [...findingRules, 'any']) {
    for (const sort of deviceSorts) {
      for (const descending of [true, false]) {
        let cursor: string | null = null;
        for (let page = 0; page < PAGES; page += 1) {
          const startedMs = performance.now();
          const answer: Awaited<ReturnType<typeof listDevices>> = await listDevices(
            { database, clock },
            administrator,
            {
              filter: deviceFilterSchema.parse({
                tokens: [{ key: 'finding', operator: '=', values: [rule] }],
              }),
              ...{ sort, descending, pageSize: 25, cursor },
            },
          );
          const ms = performance.now() - startedMs;
          if (page === 0) first.push(ms);
          if (page === 0 && ms > worst.ms) worst = { ms, text: `${rule} by ${sort}` };
          if (page === 0 && !answer.complete) early += 1;
          cursor = answer.nextCursor;
          if (cursor === null) break;
        }
      }
    }
  }
  report('device list by a finding, first page', first, PAGE_LIMIT_MS);
  console.log(`  worst: ${worst.text}; ${early} of ${first.length} answered early`);
}

async function measureDevice(database: Database): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from device tablesample system (0.01) limit 200',
  );
  const times: number[] = [];
  for (const { id } of rows) {
    const startedMs = performance.now();
    await evaluateDevice({ database, clock }, id, { supportedCountries: [] });
    times.push(performance.now() - startedMs);
  }
  report('one device evaluated anew', times, PAGE_LIMIT_MS);
}

function report(title: string, times: readonly number[], limitMs: number): void {
  const p99 = percentile(times, 0.99);
  const ratio = p99 / limitMs;
  console.log(
    `${title.padEnd(46)} p50 ${percentile(times, 0.5).toFixed(1).padStart(7)}  p99 ${p99.toFixed(1).padStart(7)} ms` +
      `  ratio ${ratio.toFixed(2)} of ${limitMs} ms`,
  );
  if (ratio > 1) process.exitCode = 1;
}

await main();
