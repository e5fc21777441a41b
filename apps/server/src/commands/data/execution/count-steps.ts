import { and, eq, sql } from 'drizzle-orm';
import { documentVersions } from '../../../documents/data/document-versions.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { commandRun } from '../commands-tables.ts';

/** Number of steps of runs; runs whose number is unknown are omitted. */
export async function countSteps(
  tx: Transaction,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (runIds.length === 0) return new Map();
  const { parsed, phases } = documentVersions;
  const rows = await tx
    .select({
      id: commandRun.id,
      steps: sql<number>`case when ${commandRun.undoesRunId} is null
        then json_array_length(${parsed} -> 'mainSteps')
          + coalesce(json_array_length(${phases} -> 'preCheck'), 0)
          + coalesce(json_array_length(${phases} -> 'verify'), 0)
        else coalesce(json_array_length(${phases} -> 'undo'), 0) end`,
    })
    .from(commandRun)
    .innerJoin(
      documentVersions,
      and(
        eq(documentVersions.documentName, commandRun.documentName),
        eq(documentVersions.version, commandRun.documentVersion),
      ),
    )
    .where(isAnyOf(commandRun.id, runIds));
  return new Map(rows.filter(({ steps }) => steps > 0).map(({ id, steps }) => [id, steps]));
}
