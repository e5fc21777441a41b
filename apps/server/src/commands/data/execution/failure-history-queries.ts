import { and, desc, eq, isNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { FailureHistory } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { evaluatedOnce } from '../../../platform/database/evaluated-once.ts';
import { namedRows } from '../../../platform/database/named-rows.ts';
import { commandRun, invocation, runOutcome } from '../commands-tables.ts';
import { isOutcome } from './outcome-queries.ts';

/** The latest runs of each model count until this number of invocations is reached; the last run counts completely. */
const INVOCATIONS = 500;
/** Maximum number of runs of a model. */
const MAX_ROWS = 1_000;
/** The latest open runs also count, unless counting them would take long. */
const OPEN_RUNS = 3;
const OPEN_TARGETS = 20_000;

interface Predicted {
  readonly document: { readonly name: string; readonly version: number };
  readonly isUndo: boolean;
  /** Number of target devices per model. */
  readonly models: readonly { readonly model: string; readonly count: number }[];
  /** Runs outside these scopes do not count. */
  readonly scopes: readonly Scope[];
}

/** Estimates the share of devices that will fail, from earlier outcomes of the same version on their models. */
export async function predictFailures(
  on: Executor,
  predicted: Predicted,
): Promise<FailureHistory | null> {
  const { models } = predicted;
  if (models.length === 0) return null;
  const { source, columns: wanted } = namedRows(
    'wanted',
    { model: 'text', count: 'integer' },
    models,
  );
  const underWay = on.$with('under_way').as(outcomesUnderWay(on, predicted));
  const ofModel = unionAll(
    on
      .select({
        runId: underWay.runId,
        at: underWay.at,
        succeeded: sql<number>`${underWay.succeeded}`.as('succeeded'),
        failed: sql<number>`${underWay.failed}`.as('failed'),
      })
      .from(underWay)
      .where(eq(underWay.model, wanted.model)),
    latestOutcomes(on, predicted, wanted.model),
  ).as('of_model');
  const all = sql`${ofModel.succeeded} + ${ofModel.failed}`;
  const counted = on
    .select({
      succeeded: ofModel.succeeded,
      failed: ofModel.failed,
      before:
        sql<number>`sum(${all}) over (order by ${ofModel.at} desc, ${ofModel.runId}) - (${all})`.as(
          'invocations_before',
        ),
    })
    .from(ofModel)
    .as('counted');
  const history = on
    .select({
      invocations: sql<number>`sum(${counted.succeeded} + ${counted.failed})`.as('invocations'),
      failures: sql<number>`sum(${counted.failed})`.as('failures'),
    })
    .from(counted)
    .where(lt(counted.before, INVOCATIONS))
    .as('history');
  const { invocations, failures } = history;
  const [found] = await on
    .with(underWay)
    .select({
      invocations: sql<number | null>`sum(${invocations})::int`,
      failed: sql<number>`sum(${failures})::int`,
      coveredDevices: sql<number>`sum(${wanted.count})::int`,
      predictedRate: sql<number>`sum(${wanted.count} * ${failures}::double precision / ${invocations}) / sum(${wanted.count})`,
    })
    .from(source)
    .crossJoinLateral(history)
    .where(sql`${invocations} > 0`);
  if (found === undefined || found.invocations === null) return null;
  return { ...found, invocations: found.invocations };
}

/** Outcomes of the latest open runs of the version, by model. */
function outcomesUnderWay(on: Executor, { document, isUndo, scopes }: Predicted) {
  const open = on
    .select({ runId: commandRun.id, createdAt: commandRun.createdAt })
    .from(commandRun)
    .where(
      and(
        isNull(commandRun.endedAt),
        eq(commandRun.documentName, document.name),
        eq(commandRun.documentVersion, document.version),
        sql`(${commandRun.undoesRunId} is not null) = ${isUndo}`,
        lte(commandRun.targetCount, OPEN_TARGETS),
        evaluatedOnce,
      ),
    )
    .orderBy(desc(commandRun.createdAt))
    .limit(OPEN_RUNS)
    .as('open');
  const countOf = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`;
  return on
    .select({
      runId: sql<string>`${open.runId}`.as('run_id'),
      at: sql<Date>`${open.createdAt}`.as('at'),
      model: sql<string>`coalesce(${deviceRecords.model}, '')`.as('model'),
      succeeded: countOf(sql`${invocation.state} = 'Success'`).as('succeeded'),
      failed: countOf(sql`${invocation.state} <> 'Success'`).as('failed'),
    })
    .from(open)
    .innerJoin(invocation, eq(invocation.runId, open.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(isOutcome, deviceScopeCondition(scopes, deviceRecords)))
    .groupBy(open.runId, open.createdAt, deviceRecords.model);
}

/** Outcomes of the latest ended runs of the version on a model. */
function latestOutcomes(on: Executor, { document, isUndo, scopes }: Predicted, model: SQL) {
  const latest = on
    .select({
      runId: runOutcome.runId,
      endedAt: runOutcome.endedAt,
      succeeded: runOutcome.succeeded,
      failed: runOutcome.failed,
    })
    .from(runOutcome)
    .where(
      and(
        eq(runOutcome.documentName, document.name),
        eq(runOutcome.documentVersion, document.version),
        eq(runOutcome.isUndo, isUndo),
        eq(runOutcome.model, model),
        deviceScopeCondition(scopes, runOutcome),
      ),
    )
    .orderBy(desc(runOutcome.endedAt))
    .limit(MAX_ROWS)
    .as('latest');
  return on
    .select({
      runId: sql<string>`${latest.runId}`.as('run_id'),
      at: sql<Date>`${latest.endedAt}`.as('at'),
      succeeded: sql<number>`${latest.succeeded}`.as('succeeded'),
      failed: sql<number>`${latest.failed}`.as('failed'),
    })
    .from(latest);
}
