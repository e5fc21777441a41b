import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import type { Permission } from '@deviceportal/contract/permissions';
import {
  findRequiredAccessGrant,
  wherever,
} from '../access/access-grants/find-required-access-grant.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { reportReads } from './report-reads.ts';

/**
 * The temporary access that a viewer needs to create a report or a link to one, or to view its content.
 * @param further permissions required in addition to those of every report
 */
export function findReportBond(
  tx: Transaction,
  viewer: Viewer,
  further: readonly Permission[] = [],
): Promise<AccessGrantBond | null> {
  const wanted: readonly Permission[] = ['reports:create', ...reportReads, ...further];
  const rights = wanted.map((each) => wherever(viewer, [each]));
  return findRequiredAccessGrant(tx, viewer, (grants) =>
    rights.every((grantsSuffice) => grantsSuffice(grants)),
  );
}
