import type { ElevationBond } from '@deviceportal/contract/elevations';
import { findElevationBehind, wherever } from '../../access/elevations/find-elevation-behind.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { reportReads } from '../report-store.ts';

/** The temporary access that a viewer needs to make a link to a report, or to see what stands in it. */
export function findShareBond(tx: Transaction, viewer: Viewer): Promise<ElevationBond | null> {
  const rights = (['reports:create', ...reportReads] as const).map((each) =>
    wherever(viewer, [each]),
  );
  return findElevationBehind(tx, viewer, (grants) => rights.every((isEnough) => isEnough(grants)));
}
