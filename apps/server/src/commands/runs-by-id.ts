import { sql } from 'drizzle-orm';
import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { RunRow } from '@deviceportal/contract/runs';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { selectInvocations } from './invocations/invocation-store.ts';
import { runRowOf, runScopeCondition, selectRuns } from './run-store.ts';

export interface RunWithResult {
  readonly run: RunRow;
  /** Of a command to one device. */
  readonly result: InvocationRow | null;
}

/** How these runs stand now, those within the viewer's scope; with what a single device answered. */
export async function runsById(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RunWithResult[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const runs = await selectRuns(database.orm, {
    scopes,
    where: sql`r.id = any(${sql.param([...ids])}::uuid[]) and ${runScopeCondition(scopes)}`,
    order: sql`r.id`,
    limit: ids.length,
  });
  const single = runs.flatMap(({ detail }) => detail.invocationId ?? []);
  const results =
    single.length === 0
      ? []
      : await selectInvocations(database.orm, vault, {
          scopes,
          where: sql`i.id = any(${sql.param(single)}::uuid[])`,
          order: sql`i.id`,
          limit: single.length,
          withSteps: false,
        });
  const resultOf = new Map(results.map(({ row }) => [row.runId, row]));
  return runs.map(({ detail }) => ({
    run: runRowOf(detail),
    result: resultOf.get(detail.id) ?? null,
  }));
}
