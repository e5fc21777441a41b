import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { RunRow } from '@deviceportal/contract/runs';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { findInvocationsById } from './data/invocation-queries.ts';
import { findRunsById } from './data/runs/run-queries.ts';
import { revealInvocations } from './invocations/reveal-invocations.ts';
import { runRowOf } from './run-view.ts';

export interface RunWithResult {
  readonly run: RunRow;
  /** Of a command to a single device. */
  readonly result: InvocationRow | null;
}

/** The current state of runs within the viewer's scope, with the result of single-device runs. */
export async function runsById(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RunWithResult[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const runs = await findRunsById(database.orm, scopes, ids);
  const single = runs.flatMap(({ invocationId }) => invocationId ?? []);
  const stored = single.length === 0 ? [] : await findInvocationsById(database.orm, scopes, single);
  const results = await revealInvocations(database.orm, vault, stored);
  const resultOf = new Map(results.map(({ row }) => [row.runId, row]));
  return runs.map((run) => ({ run: runRowOf(run), result: resultOf.get(run.id) ?? null }));
}
