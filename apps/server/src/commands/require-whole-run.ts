import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf, type Permission, type Scope } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isWholeRunWithin } from './data/runs/run-queries.ts';

interface ActOnRun {
  readonly runId: string;
  /** Any of them is sufficient. */
  readonly permissions: readonly Permission[];
}

/**
 * Requires permission on every device of a run, so that a user with a limited scope cannot change it outside that
 * scope.
 *
 * @throws PortalError 1000; with the reason `run-beyond-scope` if the permission is missing on some devices only
 */
export async function requireWholeRun(
  executor: Executor,
  viewer: Viewer,
  act: ActOnRun,
): Promise<void> {
  const permission = act.permissions.at(-1) ?? '';
  const scopes = scopesOf(viewer.grants, act.permissions);
  if (scopes.length === 0) throw new PortalError('noPermission', { facts: { permission } });
  if (await reachesWholeRun(executor, scopes, act.runId)) return;
  throw refuse('run-beyond-scope', { facts: { permission } });
}

/** Whether all devices of the run are within the scopes. */
export const reachesWholeRun = async (
  executor: Executor,
  scopes: readonly Scope[],
  runId: string,
): Promise<boolean> => scopes.some(isEverywhere) || isWholeRunWithin(executor, scopes, runId);
