import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isoMoments, type IsoMoments } from '../../platform/iso-moments.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { requireAirBlast } from '../change-progress.ts';
import { findTarget } from '../data/targets/target-facts-queries.ts';

type Target = NonNullable<Awaited<ReturnType<typeof findTarget>>>;

/** Facts that explain the result of one device of a rollout. Times are ISO 8601. */
export interface TargetReasonFacts extends IsoMoments<Target> {
  readonly run: AirBlastRecord;
}

/** @throws PortalError 2003 without such a rollout, 6000 if the device is not one of its targets in scope */
export async function findTargetFacts(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  { id, deviceId }: { readonly id: string; readonly deviceId: string },
): Promise<TargetReasonFacts> {
  const run = await requireAirBlast(database.orm, viewer, id);
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  const target = await findTarget(database.orm, run, { deviceId, scopes });
  if (target === undefined) {
    throw new PortalError('deviceNotFound', { facts: { device: deviceId } });
  }
  return { ...isoMoments(target), run };
}
