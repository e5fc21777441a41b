import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf, type Permission, type Scope } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

interface ActOnRun {
  readonly runId: string;
  /** Any one of them allows it. */
  readonly permissions: readonly Permission[];
}

/**
 * Acting on a run takes the right on every device of it: a person with a scope does not change what others do outside.
 *
 * @throws PortalError 1000; with the reason `run-beyond-scope` where the right is missing on some devices only
 */
export async function requireWholeRun(
  executor: Executor,
  viewer: Viewer,
  act: ActOnRun,
): Promise<void> {
  const permission = act.permissions.at(-1) ?? '';
  if (scopesOf(viewer.grants, act.permissions).length === 0)
    throw new PortalError('noPermission', { facts: { permission } });
  if (await reachesWholeRun(executor, scopesOf(viewer.grants, act.permissions), act.runId)) return;
  throw refuse('run-beyond-scope', { facts: { permission } });
}

/** Whether every device of the run lies in one of the scopes. */
export async function reachesWholeRun(
  executor: Executor,
  scopes: readonly Scope[],
  runId: string,
): Promise<boolean> {
  if (scopes.some(isEverywhere)) return true;
  // A device without a country makes the condition null, which is not inside.
  const { rows } = await executor.execute(sql`
    select from invocation i join device d on d.id = i.device_id
    where i.run_id = ${runId} and (${deviceScopeCondition(scopes)}) is not true limit 1`);
  return rows.length === 0;
}
