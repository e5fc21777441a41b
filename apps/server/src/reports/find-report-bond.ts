import type { ElevationBond } from '@deviceportal/contract/elevations';
import type { Permission } from '@deviceportal/contract/permissions';
import { findElevationBehind, wherever } from '../access/elevations/find-elevation-behind.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { reportReads } from './report-reads.ts';

/**
 * The temporary access that a viewer needs to make a report or a link to one, or to see what stands in it.
 *
 * @param further rights that this one needs beside those of every report
 */
export function findReportBond(
  tx: Transaction,
  viewer: Viewer,
  further: readonly Permission[] = [],
): Promise<ElevationBond | null> {
  const wanted: readonly Permission[] = ['reports:create', ...reportReads, ...further];
  const rights = wanted.map((each) => wherever(viewer, [each]));
  return findElevationBehind(tx, viewer, (grants) => rights.every((isEnough) => isEnough(grants)));
}
