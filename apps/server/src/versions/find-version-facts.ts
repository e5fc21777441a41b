import type { Connectivity, DeviceLifecycle, TavState } from '@deviceportal/contract/states';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readVersionFacts } from './data/versions-against-approvals.ts';

/** What is known of a device and one component of it that is not on what is approved. Moments as ISO 8601. */
export interface VersionFacts {
  readonly component: string;
  readonly installed: string;
  readonly state: TavState;
  readonly since: string | null;
  readonly reportedAt: string | null;
  readonly approved: string | null;
  readonly approvedAt: string | null;
  readonly mandatoryFrom: string | null;
  /** Null: the approved version has no file that devices could install. */
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
  /** Commands for the device that have not ended. */
  readonly waiting: number;
}

/** The components of a device that are not on what is approved for it. @throws PortalError 6000 */
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
