import { sql } from 'drizzle-orm';
import type { RunDetail } from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { runScopeCondition, selectRuns } from './run-store.ts';

/** @throws PortalError 5000 when there is no such run within the viewer's scope */
export async function getRun(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<RunDetail> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const found = await selectRuns(database.orm, {
    scopes,
    where: sql`r.id = ${id} and ${runScopeCondition(scopes)}`,
    order: sql`r.id`,
    limit: 1,
  });
  const detail = found[0]?.detail;
  if (detail === undefined) throw new PortalError('invocationNotFound', { facts: { runId: id } });
  return {
    ...detail,
    createdBy: maskUser(detail.createdBy, viewer),
    paused: detail.paused && { ...detail.paused, by: maskUser(detail.paused.by, viewer) },
  };
}
