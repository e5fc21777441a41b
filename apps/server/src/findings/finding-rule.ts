import type { FailingPart, PlaceSource } from '@deviceportal/contract/devices';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts, FindingSeverity, Remedy } from '@deviceportal/contract/findings';
import type { Connectivity, DeviceLifecycle, TavState } from '@deviceportal/contract/states';
import type { DeviceRhythm } from './device-rhythm.ts';

/** Facts of a device that rules use. */
export interface DeviceFacts {
  readonly deviceId: string;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity;
  readonly connectivitySince: Date | null;
  readonly disconnectReason: string | null;
  readonly failing: readonly FailingPart[];
  readonly diskUsedPercent: number | null;
  /** Of the current instance. */
  readonly certificateEndsAt: Date | null;
  readonly agentVersion: string | null;
  /** Version of the protocol of its agent; null before its first connection, and without the agent. */
  readonly protocol: number | null;
  /** Country of its latest location, ISO 3166-1 alpha-2. */
  readonly placeCountry: string | null;
  readonly placeAt: Date | null;
  readonly placeSource: PlaceSource | null;
  /** Components whose version is older than approved, or blocked. */
  readonly outdated: readonly OutdatedComponent[];
  /** The last finished commands, newest first. */
  readonly results: readonly CommandResult[];
  readonly rhythm: DeviceRhythm;
}

export interface OutdatedComponent {
  readonly component: string;
  readonly version: string;
  readonly state: TavState;
  readonly approved: string | null;
  readonly approvedAt: Date | null;
  readonly mandatoryFrom: Date | null;
}

export interface CommandResult {
  readonly invocationId: string;
  readonly command: string;
  readonly state: string;
  readonly statusDetails: string;
  readonly responseCode: number | null;
  readonly endedAt: Date;
}

export interface RuleSettings {
  /** ISO 3166-1 alpha-2; empty: all countries are supported. */
  readonly supportedCountries: readonly string[];
}

export interface RuleResult {
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  /** Start of the problem if the facts contain it, otherwise null (when it was found). */
  readonly since: Date | null;
  readonly remedy: Remedy | null;
}

/** A rule: its code, its condition, and the times at which the result can change without an event. */
export interface Rule {
  readonly code: FindingRule;
  evaluate(device: DeviceFacts, now: Date, settings: RuleSettings): RuleResult | null;
  /** Times, past or future, at which the result can change without an event. */
  changesAt(device: DeviceFacts): readonly Date[];
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const later = (moment: Date, byMs: number): Date => new Date(moment.getTime() + byMs);
