import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { getRun } from '../apps/server/src/commands/get-run.ts';
import { listInvocations } from '../apps/server/src/commands/invocations/list-invocations.ts';
import { listRuns } from '../apps/server/src/commands/list-runs.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { openCommandFixture, type CommandFixture } from './command-fixture.ts';
import { printRatio } from './device-fixture.ts';
import { runProcessTop } from './run-process-top.ts';
import { shownTo } from './shown-to.ts';
import { profileOption, profileWork } from './support/profile-work.ts';
import { percentile } from './support/portal-process.ts';
import { administrator } from './support/administrator.ts';

const CREATE_LIMIT_MS = 3_000;
/** Minimum rate relative to the bare broker's round trip. */
const RATE_LIMIT = 0.5;
const SCREEN_LIMIT_MS = 100;
/** Maximum ratio of the time per target at the larger size to that at the smaller one. */
const GROWTH_LIMIT = 1.3;
/** A screen polls every ten seconds; this is equivalent to two hundred of them. */
const LOOK_EVERY_MS = 50;
const UNDER_LOAD_MS = 5_000;

interface Outcome {
  readonly createMs: number;
  /** From the commit of the run to the commit of the last result of a connected device. */
  readonly recordMs: number;
  /** Durations of the progress screen's calls, from the time each was due. */
  readonly screenMs: readonly number[];
}

/**
 * One command to 10,000 and to 100,000 targets, 5,000 of them connected over TLS: how long creating
 * the run takes, how fast the connected devices are served, and the response times of a screen that
 * shows the progress. `--connected 5000 --targets 100000 --rounds 3 --profile`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connected: { type: 'string', default: '5000' },
      targets: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      ...profileOption,
    },
  });
  const [connected, targets] = [Number(values.connected), Number(values.targets)];
  const smaller = Math.max(connected, targets / 10);
  await using resources = new AsyncDisposableStack();
  const setup = await openCommandFixture(resources, connected, async (database) => {
    await storeAway(database, { count: smaller - connected, model: NEAR });
    await storeAway(database, { count: targets - smaller, model: FAR });
  });
  const { pool } = setup.deps.database;
  for (const table of ['device', 'device_status'])
    await pool.query(`update ${table} set model = $1 where model is null`, [NEAR]);
  await pool.query('vacuum analyze');
  // Warm-up for both paths, which also determines the length of a command for the bare one.
  await measure(setup, smaller, near);
  await setup.echo.roundTrip(setup.fleet);
  const bareMs: number[] = [];
  const outcomes: { readonly small: Outcome[]; readonly large: Outcome[] } = {
    small: [],
    large: [],
  };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    bareMs.push(await setup.echo.roundTrip(setup.fleet));
    outcomes.small.push(await measure(setup, smaller, near));
    outcomes.large.push(await measure(setup, targets, all));
    console.log(`bare round trip ${bareMs.at(-1)?.toFixed(0)} ms`);
  }
  report({ sizes: [smaller, targets], connected, bareMs: median(bareMs), ...outcomes });
  await reportScreensUnderLoad(setup.deps);
  if (!values.profile) return;
  const target = { kind: 'filter', filter: all } as const;
  const agreement = await shownTo(setup.deps, administrator, { command: 'process/top', target });
  await profileWork(setup.deps.database, () => runProcessTop(setup.deps, { target, agreement }));
}

const NEAR = 'near';
const FAR = 'far';
const all: DeviceFilter = { text: '', tokens: [], operation: 'and', targetListId: null };
const near: DeviceFilter = { ...all, tokens: [{ key: 'model', operator: '=', values: [NEAR] }] };

/** Inserts devices that are offline. */
async function storeAway(
  { pool }: Database,
  { count, model }: { readonly count: number; readonly model: string },
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const from = `from unnest($1::uuid[]) as away(id), lateral (select 'mi-' || right(replace(id::text, '-', ''), 17)) as instance(key)`;
  await pool.query(
    `insert into device (id, name, lifecycle, model, serial_rank) select id, 'away', 'active', $2, '~' || id ${from}`,
    [ids, model],
  );
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at)
     select key, id, 'current', 'Linux', 'Bench', '1', 'x64', '1.0.0', 'bench', id::text, now() + interval '90 days'
     ${from}`,
    [ids],
  );
  await pool.query(
    `insert into device_status (device_id, name, lifecycle, model, connectivity, instance_id)
     select id, 'away', 'active', $2, 'offline', key ${from}
     on conflict (device_id) do update set lifecycle = 'active', model = excluded.model, connectivity = 'offline',
       instance_id = excluded.instance_id`,
    [ids, model],
  );
}

async function measure(
  setup: CommandFixture,
  size: number,
  filter: DeviceFilter,
): Promise<Outcome> {
  const { deps, connected } = setup;
  const stopping = new AbortController();
  const watched: { runId: string | null } = { runId: null };
  const screen = watchProgress(deps, watched, stopping.signal);
  const target = { kind: 'filter', filter } as const;
  const agreement = await shownTo(deps, administrator, { command: 'process/top', target });
  const startedMs = performance.now();
  const run = await runProcessTop(deps, { target, agreement });
  const createdMs = performance.now();
  watched.runId = run.id;
  await untilServed(deps, run.id, connected);
  const servedMs = performance.now();
  stopping.abort();
  const outcome = {
    createMs: createdMs - startedMs,
    recordMs: servedMs - createdMs,
    screenMs: await screen,
  };
  console.log(
    `${size} targets: made in ${outcome.createMs.toFixed(0)} ms, ${connected} served in ${outcome.recordMs.toFixed(0)} ms`,
  );
  await endRun(deps, run.id, size - connected);
  return outcome;
}

async function untilServed(deps: CommandsDeps, runId: string, connected: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    const { rows } = await deps.database.pool.query<{ success: number }>(
      'select success_count as success from command_run where id = $1',
      [runId],
    );
    if ((rows[0]?.success ?? 0) >= connected) resolve();
  };
  using _ = deps.changes.subscribe((change) => {
    if (change.kind === 'run') void look();
  });
  await look();
  await promise;
}

/** Ends the run, so that its queued commands for offline devices do not affect the next one. */
async function endRun(deps: CommandsDeps, runId: string, away: number): Promise<void> {
  const { rowCount } = await deps.database.pool.query(
    `update invocation set state = 'Cancelled', status_details = 'Cancelled', ended_at = now()
     where run_id = $1 and ended_at is null`,
    [runId],
  );
  if (rowCount !== away) throw new Error(`${rowCount} of ${away} were waiting`);
  await deps.database.pool.query(
    `update command_run set state = 'Cancelled', status_details = 'Cancelled', ended_at = now(), pending_count = 0,
       cancelled_count = $2 where id = $1`,
    [runId, away],
  );
  await deps.database.pool.query('vacuum invocation');
}

/** Repeats the calls of the progress screen; each call is timed from when it was due. */
async function watchProgress(
  deps: CommandsDeps,
  watched: { readonly runId: string | null },
  signal: AbortSignal,
): Promise<readonly number[]> {
  const timesMs: number[] = [];
  const calls: Promise<void>[] = [];
  const ask = async (call: () => Promise<unknown>, dueMs: number): Promise<void> => {
    await call();
    timesMs.push(performance.now() - dueMs);
  };
  for (let dueMs = performance.now(); !signal.aborted; dueMs += LOOK_EVERY_MS) {
    await sleep(Math.max(0, dueMs - performance.now()));
    for (const call of callsOf(deps, watched.runId)) calls.push(ask(call, dueMs));
  }
  await Promise.all(calls);
  return timesMs;
}

function callsOf(deps: CommandsDeps, runId: string | null): (() => Promise<unknown>)[] {
  const page = { deviceId: null, pageSize: 25, cursor: null };
  const recent = {
    ...page,
    documentName: null,
    mine: false,
    active: false,
    awaiting: false,
    failing: false,
    endedOn: null,
  };
  const runs = (): Promise<unknown> => listRuns(deps, administrator, recent);
  if (runId === null) return [runs];
  return [
    runs,
    () => getRun(deps, administrator, runId),
    () => listInvocations(deps, administrator, { ...page, runId, states: [] }),
    () => listInvocations(deps, administrator, { ...page, runId, states: ['Failed', 'TimedOut'] }),
  ];
}

function report(measured: {
  readonly sizes: readonly [number, number];
  readonly connected: number;
  readonly bareMs: number;
  readonly small: readonly Outcome[];
  readonly large: readonly Outcome[];
}): void {
  const { sizes, connected, bareMs, small, large } = measured;
  const createOf = (outcomes: readonly Outcome[]): number =>
    median(outcomes.map(({ createMs }) => createMs));
  const recordMs = median(large.map(({ recordMs: ms }) => ms));
  const rate = (ms: number): string => ((connected * 1_000) / ms).toFixed(0);
  console.log(`bare ${rate(bareMs)} a second; served and recorded ${rate(recordMs)} a second`);
  printRatio(`making a run of ${sizes[1]} targets, seconds`, createOf(large) / 1_000, {
    atMost: CREATE_LIMIT_MS / 1_000,
  });
  printRatio('rate of serving to bare round trip', bareMs / recordMs, { atLeast: RATE_LIMIT });
  const screenMs = [...small, ...large].flatMap((outcome) => outcome.screenMs);
  printRatio(
    `calls of the progress screen (${screenMs.length}), p99, milliseconds`,
    percentile(screenMs, 0.99),
    { atMost: SCREEN_LIMIT_MS },
  );
  const growth = createOf(large) / sizes[1] / (createOf(small) / sizes[0]);
  printRatio(`making, for each target, at ${sizes[1]} to ${sizes[0]}`, growth, {
    atMost: GROWTH_LIMIT,
  });
  const served = recordMs / median(small.map(({ recordMs: ms }) => ms));
  printRatio(`serving ${connected} of ${sizes[1]} to ${connected} of ${sizes[0]}`, served, {
    atMost: GROWTH_LIMIT,
  });
}

/** What the same screen takes while nothing else runs, and while other programs keep all processors busy. */
async function reportScreensUnderLoad(deps: CommandsDeps): Promise<void> {
  const { rows } = await deps.database.pool.query<{ id: string }>(
    'select id from command_run order by created_at desc limit 1',
  );
  const runId = rows[0]?.id ?? null;
  const watchFor = async (): Promise<number> => {
    const stopping = AbortSignal.timeout(UNDER_LOAD_MS);
    return percentile(await watchProgress(deps, { runId }, stopping), 0.99);
  };
  const alone = await watchFor();
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    const loaded = await watchFor();
    console.log(
      `calls of the screen without a run, p99: ${alone.toFixed(0)} ms, and ${loaded.toFixed(0)} ms while ${loops.length} endless loops run`,
    );
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

await main();
