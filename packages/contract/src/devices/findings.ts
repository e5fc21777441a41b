import { z } from 'zod';
import type { FindingRule } from './finding-rules.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

export type FindingSeverity = 'error' | 'warning';

/** Moments as ISO 8601, durations in seconds. Nothing in them changes by the passage of time alone. */
export type FindingFacts = Readonly<Record<string, string | number | null>>;

/** The command that mends it, or looks closer, with what it is to be sent with. */
export interface Remedy {
  readonly command: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Something that is wrong with a device now. */
export interface Finding {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  /** Since when it is so, as far as is known. */
  readonly since: Timestamp;
  readonly remedy: Remedy | null;
}

/** Something that was wrong, and is no more. */
export interface PastFinding {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  readonly openedAt: Timestamp;
  readonly closedAt: Timestamp;
}

export interface FindingCount {
  readonly rule: FindingRule;
  readonly errors: number;
  readonly warnings: number;
}

export interface FindingCounts {
  /** Rules that hold for some device, as `findingRules` orders them. */
  readonly rules: readonly FindingCount[];
  /** Devices with at least one finding. */
  readonly devices: number;
  /** While the whole fleet is looked at anew: which share of it has been, 0 to 1; null else. */
  readonly progress: number | null;
  readonly asOf: Timestamp;
}

/** How far back the trend of the fleet goes. */
export const FLEET_TREND_DAYS = 7;

/** How the devices in service were, hour by hour, oldest first. */
export interface FleetTrend {
  /** Null where the viewer's scope is by labels, of which the past is not known. */
  readonly points:
    | readonly {
        readonly at: Timestamp;
        readonly devices: number;
        readonly online: number;
        readonly withFindings: number;
      }[]
    | null;
}

export const pastFindingsInput = z.object({ deviceId: idSchema });
