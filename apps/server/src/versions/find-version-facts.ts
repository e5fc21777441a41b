import type { Connectivity, DeviceLifecycle, TavState } from '@deviceportal/contract/states';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readVersionFacts } from './data/versions-against-approvals.ts';

/** Data on a device and one of its components that is not on its approved version. Times as ISO 8601. */
export interface VersionFacts {
  readonly component: string;
  readonly installed: string;
  readonly state: TavState;
  readonly since: string | null;
  readonly reportedAt: string | null;
  readonly approved: string | null;
  readonly approvedAt: string | null;
  readonly mandatoryFrom: string | null;
  /** Null: no file that devices can install is stored for the approved version. */
  readonly artifactSha256: string | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
  /** Number of unfinished commands for the device. */
  readonly waiting: number;
}

/** The components of a device that are not on their approved version. @throws PortalError 6000 */
export async function findVersionFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  deviceId: string,
): Promise<readonly VersionFacts[]> {
  const id = await findDevice(database.orm, viewer, {
    reference: deviceId,
    permissions: ['versions:read'],
  });
  const rows = await readVersionFacts(database.orm, id);
  return rows.flatMap(({ state, ...row }) =>
    state === null
      ? []
      : {
          ...row,
          state,
          since: row.since.toISOString(),
          reportedAt: row.reportedAt.toISOString(),
          approvedAt: row.approvedAt?.toISOString() ?? null,
          mandatoryFrom: row.mandatoryFrom?.toISOString() ?? null,
          connectivitySince: row.connectivitySince?.toISOString() ?? null,
        },
  );
}
