import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import type { Database } from '../../apps/server/src/platform/database/database.ts';

/** `--profile` prints a profile of one more round. */
export const profileOption = { profile: { type: 'boolean', default: false } } as const;

/** Settings of the database of this benchmark. */
export const profiledSettings: Readonly<Record<string, string>> = process.argv.includes('--profile')
  ? { shared_preload_libraries: 'pg_stat_statements' }
  : {};

const SHOWN = 10;
const LONGEST_TEXT = 150;

const workers = new Set<Worker>();
process.on('worker', (worker) => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
});

/**
 * Prints the ten functions and the ten statements that took the longest during some work: processor time of all threads
 * of this process, without what they call; time of statements in the database. Import before threads start.
 */
export async function profileWork<Result>(
  { pool }: Pick<Database, 'pool'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await pool.query('create extension if not exists pg_stat_statements');
  await pool.query('select pg_stat_statements_reset()');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const others = await Promise.all([...workers].map((worker) => worker.startCpuProfile()));
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const ofWorkers = await Promise.all(others.map((handle) => handle.stop()));
  printFunctions([profile, ...ofWorkers.map(parseProfile)]);
  await printStatements(pool);
  return result;
}

/** Node does not escape backslashes in the names of regular expressions. */
function parseProfile(text: string): Profiler.Profile {
  const escaped = text.replaceAll(/\\(?!["\\/bfnrt]|u[0-9a-f]{4})/g, String.raw`\\`);
  return JSON.parse(escaped) as Profiler.Profile;
}

function printFunctions(profiles: readonly Profiler.Profile[]): void {
  const times = new Map<string, number>();
  for (const profile of profiles) addSelfTimes(times, profile);
  const sorted = [...times].toSorted(([, one], [, other]) => other - one);
  const totalMs = sorted.reduce((sum, [, ms]) => sum + ms, 0);
  console.log(`functions, ms of ${totalMs.toFixed(0)}:`);
  for (const [name, ms] of sorted.slice(0, SHOWN)) {
    console.log(`${ms.toFixed(0).padStart(8)}  ${name}`);
  }
}

/** A thread that waits, and the profiler itself. */
const waiting = new Set(['(idle)', '(program)', 'post']);

function addSelfTimes(into: Map<string, number>, profile: Profiler.Profile): void {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url } }) => [
      id,
      {
        functionName,
        name: `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`,
      },
    ]),
  );
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const found = names.get(id);
    if (found === undefined || waiting.has(found.functionName)) continue;
    const ms = (profile.timeDeltas?.[at] ?? 0) / 1_000;
    into.set(found.name, (into.get(found.name) ?? 0) + ms);
  }
}

async function printStatements(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query<{ ms: number; calls: number; rows: number; query: string }>(
    `select total_exec_time as ms, calls::int, rows::int, query from pg_stat_statements
     where query not like '%pg_stat_%' order by total_exec_time desc`,
  );
  const totalMs = rows.reduce((sum, { ms }) => sum + ms, 0);
  console.log(`statements, ms of ${totalMs.toFixed(0)} (calls, rows):`);
  for (const row of rows.slice(0, SHOWN)) {
    const text = row.query.replaceAll(/\s+/g, ' ').slice(0, LONGEST_TEXT);
    console.log(`${row.ms.toFixed(0).padStart(8)}  ${text} (${row.calls}, ${row.rows})`);
  }
}
