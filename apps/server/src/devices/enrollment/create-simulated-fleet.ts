import { inTransaction, type Database } from '../../platform/database/database.ts';
import {
  recordReleases,
  type DescribedApproval,
  type DescribedRelease,
} from '../../versions/record-releases.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { keepSetting, readSetting } from '../../platform/keep-setting.ts';
import { issueClaim } from '../claims/issue-claim.ts';
import { findPendingDevices } from '../data/enrollment/enrollment-queries.ts';
import type { PersonDraft } from '../../people/data/insert-people.ts';
import { createDevices } from './create-devices.ts';

/** The simulator's description of its people and devices, which depends on the size only. */
export interface DescribedFleet {
  readonly owners: readonly (Omit<PersonDraft, 'id'> & { readonly username: string })[];
  readonly devices: readonly {
    readonly serialNumber: string;
    readonly name: string;
    readonly model: string;
    readonly hardwareRevision: string;
    readonly owner: number;
    readonly country: string;
    readonly timeZone: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly software: readonly { readonly component: string; readonly version: string }[];
    /** Earlier software lists, oldest first, ending with the current one. */
    readonly pastSoftware?: readonly {
      readonly daysAgo: number;
      readonly components: readonly { readonly component: string; readonly version: string }[];
    }[];
    readonly packages?: readonly { readonly name: string; readonly version: string }[];
    readonly position: {
      readonly latitude: number;
      readonly longitude: number;
      readonly accuracyMeters: number;
    };
  }[];
  /** Software releases and their approvals. */
  readonly releases: readonly DescribedRelease[];
  readonly approvals: readonly DescribedApproval[];
}

interface RecordFleetDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Stores the files of its software versions. */
  readonly files: FileStore;
}

const RECORDED_SIZE = 'simulated-fleet-size';
/** Label of all simulated devices. */
const SIMULATED = { simulated: 'true' };
const CLAIM_LIFETIME_MS = 24 * 3_600_000;

/**
 * Creates the simulated devices once, and adds devices when the size is increased. Returns a claim for those that have
 * not enrolled yet, or undefined if all have.
 */
export async function createSimulatedFleet(
  { database, clock, files }: RecordFleetDeps,
  size: number,
  describe: (size: number) => Promise<DescribedFleet>,
): Promise<string | undefined> {
  const before = Number((await readSetting(database.orm, RECORDED_SIZE)) ?? 0);
  if (before < size) {
    const fleet = await describe(size);
    await createDevices({ database }, toDescription(fleet, clock()));
    // Once only, so that later changes by users are kept.
    if (before === 0) await recordReleases({ database, clock, files }, fleet);
    await keepSetting(database.orm, RECORDED_SIZE, size);
  }
  return claimForPending(database, clock);
}

async function claimForPending(database: Database, clock: () => Date): Promise<string | undefined> {
  return inTransaction(database, async (tx) => {
    const pending = await findPendingDevices(tx, SIMULATED);
    if (pending.length === 0) return undefined;
    const { token } = await issueClaim(tx, {
      model: null,
      ownerId: null,
      country: null,
      labels: {},
      uses: pending.length,
      expiresAt: new Date(clock().getTime() + CLAIM_LIFETIME_MS),
      createdBy: 'Device Portal',
      createdById: null,
      deviceId: null,
      bond: null,
      recordedDeviceIds: pending,
    });
    return token;
  });
}

const DAY_MS = 86_400_000;

function toDescription({ owners, devices }: DescribedFleet, now: Date) {
  return {
    people: owners,
    devices: devices.map(({ owner, position, labels, pastSoftware = [], ...device }) => ({
      ...device,
      pastSoftware: pastSoftware.map(({ daysAgo, components }) => ({
        at: new Date(now.getTime() - daysAgo * DAY_MS),
        components,
      })),
      labels: { ...labels, ...SIMULATED },
      owner: owners[owner]?.username ?? null,
      lifecycle: 'pending' as const,
      place: { ...position, source: 'network' as const },
    })),
  };
}
