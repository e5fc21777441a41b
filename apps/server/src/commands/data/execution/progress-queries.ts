import { asc, eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { insertColumns } from '../../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { namedRows } from '../../../platform/database/named-rows.ts';
import { isoOrNull } from '../../../platform/moment-cursor.ts';
import type { InvocationProgress } from '../../execution/fold-invocation-entries.ts';
import { invocation } from '../commands-tables.ts';

/** The fields of an invocation that its device can change. */
export interface LockedInvocation extends InvocationProgress {
  readonly id: string;
  readonly runId: string;
  readonly deviceId: string;
}

/** Locks invocations in the order of their IDs. */
export async function lockInvocations(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedInvocation>> {
  const rows = await tx
    .select({
      id: invocation.id,
      runId: invocation.runId,
      deviceId: invocation.deviceId,
      state: invocation.state,
      statusDetails: invocation.statusDetails,
      responseCode: invocation.responseCode,
      sentAt: invocation.sentAt,
      startedAt: invocation.startedAt,
      endedAt: invocation.endedAt,
      steps: invocation.steps,
      outputPreview: invocation.outputPreview,
      stdoutLength: invocation.stdoutLength,
      stderrLength: invocation.stderrLength,
      outputStored: invocation.outputStored,
      outputTruncated: invocation.outputTruncated,
    })
    .from(invocation)
    .where(isAnyOf(invocation.id, ids))
    .orderBy(asc(invocation.id))
    .for('update');
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        sentAt: isoOrNull(row.sentAt),
        startedAt: isoOrNull(row.startedAt),
        endedAt: isoOrNull(row.endedAt),
      },
    ]),
  );
}

const changed = [
  ...(['state', 'statusDetails', 'responseCode', 'startedAt', 'endedAt', 'steps'] as const),
  ...(['outputPreview', 'stdoutLength', 'stderrLength', 'outputStored'] as const),
  'outputTruncated',
] as const;

const entryColumns = insertColumns(invocation, ['id', ...changed]);

export type ChangedInvocation = Pick<InvocationProgress, (typeof changed)[number]> & {
  readonly id: string;
};

export async function updateProgress(
  tx: Transaction,
  invocations: readonly ChangedInvocation[],
  newsAt: Date,
): Promise<void> {
  if (invocations.length === 0) return;
  const rows = invocations.map((one) => ({ ...one, steps: JSON.stringify(one.steps) }));
  const { source, columns } = namedRows('entry', entryColumns.types, rows);
  const { id, ...progress } = columns;
  await tx
    .update(invocation)
    .set({ ...progress, newsAt })
    .from(source)
    .where(eq(invocation.id, id));
}
