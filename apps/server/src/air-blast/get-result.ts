import type { z } from 'zod';
import type { AirBlastResult, exportAirBlastInput } from '@deviceportal/contract/air-blast';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../people/mask-person.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { requireAirBlast } from './change-progress.ts';
import { selectFailures } from './data/result-queries.ts';
import { selectTimeline } from './select-timeline.ts';

/** The failures and the timeline of a rollout. @throws PortalError 2003 */
export async function getResult(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<AirBlastResult> {
  const run = await requireAirBlast(database.orm, viewer, id);
  const [failures, timeline] = await Promise.all([
    selectFailures(database.orm, run, scopesOf(viewer.grants, ['devices:read'])),
    selectTimeline(database.orm, run, (name) => maskUser(name, viewer)),
  ]);
  return { failures, timeline };
}

/** The download URL of the report, limited to what the viewer can see. @throws PortalError 2003 */
export async function exportResult(
  deps: AirBlastDeps,
  viewer: Viewer,
  { id, format }: z.infer<typeof exportAirBlastInput>,
): Promise<{ readonly downloadUrl: string }> {
  await requireAirBlast(deps.database.orm, viewer, id);
  const link = {
    id,
    format,
    scopes: scopesOf(viewer.grants, ['devices:read']),
    seesNames: holds(viewer.grants, 'people:read'),
  };
  return { downloadUrl: deps.signReportUrl(link, holderOf(viewer)) };
}
