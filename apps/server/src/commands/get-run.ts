import type { RunDetail } from '@deviceportal/contract/runs';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { findRun } from './data/runs/run-queries.ts';
import { runDetailOf } from './run-view.ts';

/** @throws PortalError 5000 if there is no such run within the viewer's scope */
export async function getRun(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<RunDetail> {
  const found = await findRun(database.orm, id, scopesOf(viewer.grants, ['commands:read']));
  if (found === undefined) throw new PortalError('invocationNotFound', { facts: { runId: id } });
  const detail = runDetailOf(found);
  return {
    ...detail,
    createdBy: maskUser(detail.createdBy, viewer),
    paused: detail.paused && { ...detail.paused, by: maskUser(detail.paused.by, viewer) },
  };
}
