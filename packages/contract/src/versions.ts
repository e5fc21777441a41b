import { z } from 'zod';
import { idSchema } from './ids.ts';
import type { SoftwareVersionState } from './states.ts';
import type { Timestamp } from './pages.ts';

export const listInstalledVersionsInput = z.object({
  component: z.string().max(128).nullable().default(null),
});

export interface ComponentSummary {
  readonly component: string;
  readonly devices: number;
  readonly versions: number;
}

/** One version of one component and how much of the fleet runs it. */
export interface InstalledVersion {
  readonly component: string;
  readonly version: string;
  readonly devices: number;
  /** 0 … 1 of the devices that report this component. */
  readonly share: number;
  readonly firstSeenAt: Timestamp;
  readonly lastReportedAt: Timestamp;
  readonly state: SoftwareVersionState | null;
  readonly approvedFor: readonly string[];
}

export const deviceVersionHistoryInput = z.object({ deviceId: idSchema });

/** A component that appeared, changed its version, or went away (`version` null). Newest first. */
export interface VersionChange {
  readonly component: string;
  readonly version: string | null;
  readonly previousVersion: string | null;
  readonly at: Timestamp;
}
