import type { z } from 'zod';
import type { exportResultsInput } from '@deviceportal/contract/run-results';
import { scopesOf } from '@deviceportal/contract/permissions';
import { holderOf } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { getRun } from './get-run.ts';

/**
 * Where the results of a run can be downloaded, as far as the viewer sees them.
 *
 * @throws PortalError 5000 when there is no such run within the viewer's scope
 */
export async function exportResults(
  deps: CommandsDeps,
  viewer: Viewer,
  { id, format }: z.infer<typeof exportResultsInput>,
): Promise<{ readonly downloadUrl: string }> {
  await getRun(deps, viewer, id);
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  return { downloadUrl: deps.signResultsUrl({ runId: id, format, scopes }, holderOf(viewer)) };
}
