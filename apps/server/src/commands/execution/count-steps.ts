import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';

/** How many steps the runs have; those of which it is not known are left out. */
export async function countSteps(
  tx: Transaction,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await tx.execute<{ id: string; steps: number }>(sql`
    select run.id, case when run.undoes_run_id is null
      then json_array_length(version.parsed -> 'mainSteps')
        + coalesce(json_array_length(version.phases -> 'preCheck'), 0)
        + coalesce(json_array_length(version.phases -> 'verify'), 0)
      else coalesce(json_array_length(version.phases -> 'undo'), 0) end as steps
    from command_run as run join document_version as version
      on version.document_name = run.document_name and version.version = run.document_version
    where run.id = any(${arrayOf('uuid', runIds)})`);
  return new Map(rows.filter(({ steps }) => steps > 0).map(({ id, steps }) => [id, steps]));
}
