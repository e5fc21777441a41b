import { and, eq, sql } from 'drizzle-orm';
import { documentVersions } from '../../../documents/data/document-versions.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { commandRun } from '../commands-tables.ts';

/** The content of a run that is sent to all of its devices, with encrypted secrets. */
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
      /** Lock holder; null for a read-only run. */
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
