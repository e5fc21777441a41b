import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { RunState, StatusDetails } from '@deviceportal/contract/states';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { portalNow } from '../../../platform/columns.ts';
import { columnNames } from '../../../platform/database/column-names.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { countedAsErrors } from '../../execution/run-state-machine.ts';
import { commandRun, invocation, runOutcome } from '../commands-tables.ts';

/** Whether an invocation is evidence about its document: it succeeded or failed. */
export const isOutcome = or(
  eq(invocation.state, 'Success'),
  isAnyOf(invocation.statusDetails, [...countedAsErrors]),
);

const columns = columnNames(
  ...[runOutcome.runId, runOutcome.documentName, runOutcome.documentVersion],
  ...[runOutcome.isUndo, runOutcome.model, runOutcome.country, runOutcome.labels],
  ...[runOutcome.succeeded, runOutcome.failed, runOutcome.endedAt],
);

const countOf = (condition: SQL): SQL => sql`count(*) filter (where ${condition})`;

const endedColumns = {
  id: commandRun.id,
  documentName: commandRun.documentName,
  documentVersion: commandRun.documentVersion,
  undoesRunId: commandRun.undoesRunId,
  endedAt: commandRun.endedAt,
};

export interface RunEnd {
  readonly runId: string;
  readonly state: RunState;
  readonly statusDetails: StatusDetails;
}

/** Ends a run without open invocations: a common table expression, for statements that continue from it. */
export const endedRun = (tx: Transaction, { runId, state, statusDetails }: RunEnd) =>
  tx.$with('ended').as(
    tx
      .update(commandRun)
      .set({ state, statusDetails, endedAt: portalNow })
      .where(
        and(
          eq(commandRun.id, runId),
          isNull(commandRun.endedAt),
          eq(commandRun.pendingCount, 0),
          eq(commandRun.inProgressCount, 0),
        ),
      )
      .returning(endedColumns),
  );

type EndedRun = ReturnType<typeof endedRun>;

/** Statement that stores the outcomes of a run that has just ended, for later predictions. */
export function writeOutcome(run: EndedRun): SQL {
  const { model, country, labels } = deviceRecords;
  const counts = new QueryBuilder()
    .select({
      runId: run.id,
      documentName: run.documentName,
      documentVersion: run.documentVersion,
      isUndo: sql`${run.undoesRunId} is not null`,
      model: sql`coalesce(${model}, '')`,
      ...{ country, labels },
      succeeded: countOf(sql`${invocation.state} = 'Success'`),
      failed: countOf(sql`${invocation.state} <> 'Success'`),
      endedAt: run.endedAt,
    })
    .from(run)
    .innerJoin(invocation, eq(invocation.runId, run.id))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(isOutcome)
    .groupBy(
      ...[run.id, run.documentName, run.documentVersion, run.undoesRunId, run.endedAt],
      ...[model, country, labels],
    );
  return sql`insert into ${runOutcome} (${columns}) ${counts.getSQL()}`;
}
