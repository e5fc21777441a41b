import { and, desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { SEALED } from '../parameters/parameter-vault.ts';
import { commandRun } from './commands-tables.ts';

/** Parameter values of a user's last run of a document, without those that were secret then and these names. */
export async function findLastRunValues(
  on: Executor,
  wanted: {
    readonly userId: string;
    readonly documentName: string;
    readonly without: readonly string[];
  },
) {
  const sealed = sql`coalesce(
    (select array_agg(name) from jsonb_object_keys(${commandRun.parameters}->${SEALED}::text) as name), '{}')`;
  const [found] = await on
    .select({
      parameters: sql<Record<string, unknown>>`${commandRun.maskedParameters} - ${sealed}
        - ${sql.param([...wanted.without])}::text[]`,
      at: commandRun.createdAt,
    })
    .from(commandRun)
    .where(
      and(
        eq(commandRun.createdById, wanted.userId),
        eq(commandRun.documentName, wanted.documentName),
      ),
    )
    .orderBy(desc(commandRun.createdAt))
    .limit(1);
  return found;
}
