import type { WatchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { StoredRule } from './data/rule-queries.ts';
import type { Counts } from './measure-rules.ts';

/** What was counted for a rule. */
export interface Measurement {
  /** With current permissions. */
  readonly owner: Viewer;
  readonly counts: Counts;
  readonly watched: WatchedDevices;
  /** The time that all rules took that were counted together. */
  readonly tookMs: number;
}

export interface MeasuredRule {
  readonly rule: StoredRule;
  /** When it was counted. */
  readonly now: Date;
  /** Null if the owner may no longer have the rule. */
  readonly measurement: Measurement | null;
}
