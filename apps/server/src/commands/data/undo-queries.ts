import { and, asc, desc, eq, exists, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Scope } from '@deviceportal/contract/permissions';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import type { RunTarget } from '../target/run-target.ts';
import { commandRun, invocation } from './commands-tables.ts';
import { chosenIds } from './target-queries.ts';

export interface EffectQuery {
  readonly runId: string;
  /** Only this device; null for the whole run. */
  readonly deviceId: string | null;
  /** Devices outside any of these are ignored. */
  readonly scopes: readonly (readonly Scope[])[];
  /** Phases of the run's version. Its first steps are the pre-check. */
  readonly phases: DocumentPhases;
  readonly mainSteps: number;
}

const SAMPLE = 10;
const MAX_UNDOING = 20;

const build = new QueryBuilder();
const undoingRun = alias(commandRun, 'undoing_run');
const undoing = alias(invocation, 'undoing');

/** Undo invocations of a run that succeeded or have not ended. */
const undosOf = (runId: SQL | string, condition: SQL) =>
  build
    .select({ id: undoing.id })
    .from(undoingRun)
    .innerJoin(undoing, eq(undoing.runId, undoingRun.id))
    .where(
      and(
        sql`${undoingRun.undoesRunId} = ${runId}`,
        condition,
        or(eq(undoing.state, 'Success'), isNull(undoing.endedAt)),
      ),
    );

/** Devices on which a main step was started. */
function affectedDevices({ runId, deviceId, scopes, phases, mainSteps }: EffectQuery) {
  const from = phases.preCheck?.length ?? 0;
  const isUndone = exists(
    undosOf(sql`${invocation.runId}`, eq(undoing.deviceId, invocation.deviceId)),
  );
  return build
    .select({
      deviceId: deviceRecords.deviceId,
      serialNumber: deviceRecords.serialNumber,
      name: deviceRecords.name,
      /** Whether an undo on it has succeeded or is in progress. */
      undone: sql<boolean>`${isUndone}`.as('undone'),
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        deviceId === null ? undefined : eq(invocation.deviceId, deviceId),
        isNotNull(invocation.endedAt),
        ...scopes.map((scope) => deviceScopeCondition(scope, deviceRecords)),
        sql`exists (select 1 from jsonb_array_elements(${invocation.steps}) step
          where (step->>'index')::int >= ${from} and (step->>'index')::int < ${from + mainSteps}
            and step->>'state' <> 'Skipped')`,
      ),
    );
}

/** The part of a run's effect that can be undone. */
export type Effect = Awaited<ReturnType<typeof selectEffect>>;

export async function selectEffect(on: Executor, query: EffectQuery) {
  const affected = build.$with('affected').as(affectedDevices(query));
  const { deviceId: id, serialNumber, name, undone } = affected;
  const first = build
    .select({ id, serialNumber, name })
    .from(affected)
    .where(sql`not ${undone}`)
    .orderBy(asc(id))
    .limit(SAMPLE)
    .as('first');
  const sample = build
    .select({
      sample: jsonArray(
        jsonObject({ id: first.id, serialNumber: first.serialNumber, name: first.name }),
        { orderBy: first.id },
      ),
    })
    .from(first);
  const [effect] = await on
    .with(affected)
    .select({
      /** Devices on which a main step was started. */
      affected: sql<number>`count(*)::int`,
      /** Affected devices on which no undo has succeeded or is in progress. */
      open: sql<number>`(count(*) filter (where not ${undone}))::int`,
      sample: sql<UndoOffer['sample']>`(${sample})`,
    })
    .from(affected);
  if (effect === undefined) throw new Error('aggregate query returned no rows');
  return effect;
}

/** A query for the devices of an undo, as `id`. */
export function openDevices(query: EffectQuery): SQL {
  const affected = affectedDevices(query).as('affected');
  return build
    .select({ id: affected.deviceId })
    .from(affected)
    .where(sql`not ${affected.undone}`)
    .getSQL();
}

/** The latest undos of a run. */
export async function selectUndoingRuns(on: Executor, runId: string) {
  return on
    .select({ runId: commandRun.id, by: commandRun.createdBy, at: commandRun.createdAt })
    .from(commandRun)
    .where(eq(commandRun.undoesRunId, runId))
    .orderBy(desc(commandRun.createdAt), desc(commandRun.id))
    .limit(MAX_UNDOING);
}

/** Serializes undos of a run until the transaction ends. */
export async function lockForUndo(tx: Transaction, runId: string): Promise<void> {
  await tx
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(eq(commandRun.id, runId))
    .for('no key update');
}

/** Whether the target is empty, or contains a device on which an undo of the run has succeeded or is in progress. */
export async function isAlreadyUndone(
  on: Executor,
  runId: string,
  target: RunTarget,
): Promise<boolean> {
  const wanted = build.$with('wanted', { id: sql<string>`id`.as('id') }).as(chosenIds(target));
  const undone = undosOf(runId, sql`${undoing.deviceId} in (select ${wanted.id} from ${wanted})`);
  const [found] = await on
    .with(wanted)
    .select({
      undone: sql<boolean>`not exists (select from ${wanted}) or ${exists(undone)}`,
    })
    .from(sql`(select) as one`);
  return found?.undone === true;
}
