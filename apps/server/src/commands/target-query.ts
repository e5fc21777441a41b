import { sql, type SQL } from 'drizzle-orm';
import type { CommandTarget } from '@deviceportal/contract/commands';
import { scopesOf } from '@deviceportal/contract/permissions';
import { filterConditions } from '../devices/search/filter-conditions.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ResolvedCommand } from './resolve-command.ts';
import { permissionsToRun } from './run-policy.ts';
import type { TargetQuery } from './target-store.ts';

/** What a target means for one viewer: the same conditions by which the device list finds its rows. */
export async function targetQuery(
  executor: Executor,
  viewer: Viewer,
  request: {
    readonly resolved: ResolvedCommand;
    readonly target: CommandTarget;
    readonly now: Date;
  },
): Promise<TargetQuery> {
  const { resolved, target } = request;
  return {
    target,
    matches: await conditionOf(executor, viewer, request),
    readScopes: scopesOf(viewer.grants, ['devices:read']),
    runScopes: scopesOf(viewer.grants, permissionsToRun(resolved)),
    needsSerialNumber: resolved.needsSerialNumber,
  };
}

async function conditionOf(
  executor: Executor,
  viewer: Viewer,
  { target, now }: { readonly target: CommandTarget; readonly now: Date },
): Promise<SQL> {
  if (target.kind === 'devices') return sql`true`;
  const conditions = await filterConditions(executor, viewer, { filter: target.filter, now });
  if (conditions.length === 0) return sql`true`;
  return sql.join(
    conditions.map(({ where }) => sql`(${where})`),
    sql` and `,
  );
}
