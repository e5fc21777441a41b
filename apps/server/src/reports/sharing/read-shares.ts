import { PortalError } from '@deviceportal/contract/errors';
import type { ReportShare } from '@deviceportal/contract/reports';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findShareInSight, listSharesInSight } from '../data/share-queries.ts';
import type { ReportsDeps } from '../reports-deps.ts';

/** The links to a report, newest first; none where the report is not in sight. */
export async function listShares(
  { database }: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  reportId: string,
): Promise<ReportShare[]> {
  const found = await listSharesInSight(database.orm, viewer, reportId);
  return found.map((share) => ({ ...share, createdBy: maskUser(share.createdBy, viewer) }));
}

/** @throws PortalError notFound (2003) also where its report is not in the viewer's sight */
export async function findShare(
  { database }: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<ReportShare> {
  const found = await findShareInSight(database.orm, viewer, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { share: id } });
  return { ...found, createdBy: maskUser(found.createdBy, viewer) };
}
