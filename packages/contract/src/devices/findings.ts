import { z } from 'zod';
import type { FindingRule } from './finding-rules.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

export type FindingSeverity = 'error' | 'warning';

/** Times as ISO 8601, durations in seconds. Facts do not change merely because time passes. */
export type FindingFacts = Readonly<Record<string, string | number | null>>;

/** The command that fixes or diagnoses the problem, with its parameters. */
export interface Remedy {
  readonly command: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** An open finding of a device. */
export interface Finding {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  /** Start of the condition, as far as known. */
  readonly since: Timestamp;
  readonly remedy: Remedy | null;
}

/** A closed finding. */
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
  /** Rules with any finding, in the order of `findingRules`. */
  readonly rules: readonly FindingCount[];
  /** Devices with at least one finding. */
  readonly devices: number;
  /**
   * While the whole fleet is being re-evaluated: the completed share, from 0 to 1; otherwise null.
   */
  readonly progress: number | null;
  readonly asOf: Timestamp;
}

/** Time range of the fleet trend. */
export const FLEET_TREND_DAYS = 30;

/** State of the devices in service, oldest first: per hour of the last week, before at noon UTC. */
export interface FleetTrend {
  /** Null if the viewer's scope uses labels, which have no history. */
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
