import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { DocumentUsage } from '@deviceportal/contract/commands';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { commandRun, invocation } from './commands-tables.ts';
import { runCountersIn } from './runs/run-counters.ts';

/** Failures by model are counted in the latest runs with failures, for at most this many devices of each. */
const LATEST_RUNS = 50;
const DEVICES_OF_A_RUN = 200;
const SHOWN_MODELS = 5;

interface RecentRuns {
  readonly documentName: string;
  readonly days: number;
}

const isRecent = ({ documentName, days }: RecentRuns) =>
  and(
    eq(commandRun.documentName, documentName),
    gt(commandRun.createdAt, sql`${portalNow} - make_interval(days => ${days})`),
  );

/** From the counters of runs, or counted within the scopes. */
export async function countDocumentUsage(
  on: Executor,
  scopes: readonly Scope[],
  recent: RecentRuns,
): Promise<Pick<DocumentUsage, 'runs' | 'invocations' | 'successRate'>> {
  const seen = runCountersIn(scopes);
  const sumOf = (...names: readonly string[]) =>
    sql.join(
      names.map((name) => sql`(${seen.counters}->>${name}::text)::int`),
      sql` + `,
    );
  const [found] = await on
    .select({
      runs: sql<number>`count(*)::int`,
      invocations: sql<number>`coalesce(sum(${seen.target}), 0)::int`,
      successRate: sql<number | null>`sum(${sumOf('success')})::float8
        / nullif(sum(${sumOf('success', 'failed', 'timedOut', 'cancelled')}), 0)`,
    })
    .from(commandRun)
    .crossJoinLateral(seen)
    .where(and(isRecent(recent), gt(seen.target, 0)));
  return found ?? { runs: 0, invocations: 0, successRate: null };
}

/** The models with the most failed devices recently, within all of the scopes. */
export async function findFailingModels(
  on: Executor,
  scopes: readonly (readonly Scope[])[],
  recent: RecentRuns,
): Promise<DocumentUsage['failingModels']> {
  const latest = on
    .select({ runId: commandRun.id })
    .from(commandRun)
    .where(and(isRecent(recent), sql`${commandRun.failedCount} + ${commandRun.timedOutCount} > 0`))
    .orderBy(desc(commandRun.createdAt))
    .limit(LATEST_RUNS)
    .as('latest');
  const failed = on
    .select({ deviceId: invocation.deviceId })
    .from(invocation)
    .where(
      and(eq(invocation.runId, latest.runId), inArray(invocation.state, ['Failed', 'TimedOut'])),
    )
    .limit(DEVICES_OF_A_RUN)
    .as('failed');
  const count = sql<number>`count(*)::int`;
  return on
    .select({ model: deviceRecords.model, failed: count })
    .from(latest)
    .crossJoinLateral(failed)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, failed.deviceId))
    .where(and(...scopes.map((each) => deviceScopeCondition(each, deviceRecords))))
    .groupBy(deviceRecords.model)
    .orderBy(desc(count), asc(deviceRecords.model))
    .limit(SHOWN_MODELS);
}
