import { and, eq, sql } from 'drizzle-orm';
import { documentVersions } from '../../../documents/data/document-versions.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { commandRun } from '../commands-tables.ts';

/** What is sent of a run to all of its devices, its secrets sealed. */
export type RunContent = NonNullable<Awaited<ReturnType<typeof findRunToSend>>>;

export async function findRunToSend(on: Executor, runId: string) {
  const [found] = await on
    .select({
      documentName: commandRun.documentName,
      documentVersion: commandRun.documentVersion,
      content: documentVersions.parsed,
      phases: documentVersions.phases,
      parameters: commandRun.parameters,
      undoesRunId: commandRun.undoesRunId,
      subDocuments: commandRun.subDocuments,
      executionTimeoutSeconds: commandRun.executionTimeoutSeconds,
      /** Who holds the change lock; null for a run that only reads. */
      holder: sql<
        string | null
      >`case when ${commandRun.consequence} <> 'reads' then ${commandRun.createdById} end`,
    })
    .from(commandRun)
    .innerJoin(
      documentVersions,
      and(
        eq(documentVersions.documentName, commandRun.documentName),
        eq(documentVersions.version, commandRun.documentVersion),
      ),
    )
    .where(eq(commandRun.id, runId));
  return found;
}
