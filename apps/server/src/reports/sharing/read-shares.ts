import { PortalError } from '@deviceportal/contract/errors';
import type { ReportShare } from '@deviceportal/contract/reports';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findVisibleShare, listVisibleShares } from '../data/share-queries.ts';
import type { ReportsDeps } from '../reports-deps.ts';

/** The links to a report, newest first; none if the viewer may not see the report. */
export async function listShares(
  { database }: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  reportId: string,
): Promise<ReportShare[]> {
  const found = await listVisibleShares(database.orm, viewer, reportId);
  return found.map((share) => ({ ...share, createdBy: maskUser(share.createdBy, viewer) }));
}

/** @throws PortalError notFound (2003), also if the viewer may not see its report */
export async function findShare(
  { database }: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<ReportShare> {
  const found = await findVisibleShare(database.orm, viewer, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { share: id } });
  return { ...found, createdBy: maskUser(found.createdBy, viewer) };
}
