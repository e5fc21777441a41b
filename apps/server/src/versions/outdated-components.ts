import type { TavState } from '@deviceportal/contract/states';
import type { Executor } from '../platform/database/database.ts';
import { readOutdated } from './data/versions-against-approvals.ts';

/** A version of a device that is older than the approved one, or blocked. */
export interface OutdatedComponent {
  readonly component: string;
  readonly version: string;
  readonly state: TavState;
  /** Null if nothing is approved for this model and country. */
  readonly approved: string | null;
  readonly approvedAt: Date | null;
  readonly mandatoryFrom: Date | null;
}

/** For these devices, in one statement; devices that are up to date are omitted. */
export async function outdatedComponents(
  on: Executor,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OutdatedComponent[]>> {
  const rows = await readOutdated(on, deviceIds);
  const found = new Map<string, OutdatedComponent[]>();
  for (const { deviceId, state, ...row } of rows)
    if (state !== null) found.set(deviceId, [...(found.get(deviceId) ?? []), { ...row, state }]);
  return found;
}
