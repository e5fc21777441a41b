import { z } from 'zod';
import type { AuditActor } from '../audit-trail/audit-trail.ts';
import type { FindingRule } from './finding-rules.ts';
import type { FindingSeverity } from './findings.ts';
import { idSchema } from '../ids.ts';
import type { PackageChange } from '../versions/packages.ts';
import type { Timestamp } from '../pages.ts';
import type { InvocationState } from '../states.ts';
import { momentSchema } from '../moment.ts';

/** Facts that are identified by `name`: components. */
export const thenFacts = [
  'connectivity',
  'lifecycle',
  'name',
  'serialNumber',
  'model',
  'hardwareRevision',
  'owner',
  'country',
  'timeZone',
  'labels',
  'place',
  'software',
] as const;
export type ThenFact = (typeof thenFacts)[number];

/** An attribute at a chosen time and now. */
export interface FactDeviceHistory {
  readonly fact: ThenFact;
  readonly name: string;
  readonly earlier: string | null;
  readonly now: string | null;
  /** False if there is no record of the earlier value. */
  readonly isKnown: boolean;
  readonly differs: boolean;
  /** Time and actor of the last change since then. */
  readonly changedAt: Timestamp | null;
  readonly changedBy: Pick<AuditActor, 'kind' | 'id' | 'name'> | null;
}

export interface FindingDeviceHistory {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly earlier: boolean;
  readonly now: boolean;
  readonly openedAt: Timestamp;
  /** Null while it is open. */
  readonly closedAt: Timestamp | null;
}

/** A command that was queued or running at the chosen time. */
export interface CommandThen {
  readonly invocationId: string;
  readonly command: string;
  /** Current state. */
  readonly state: InvocationState;
  readonly queuedAt: Timestamp;
  readonly endedAt: Timestamp | null;
}

export interface DeviceHistory {
  readonly at: Timestamp;
  /** Start of the device's records. */
  readonly knownSince: Timestamp;
  readonly facts: readonly FactDeviceHistory[];
  /** Open at the chosen time, or now. */
  readonly findings: readonly FindingDeviceHistory[];
  readonly commands: readonly CommandThen[];
  /** Packages installed, replaced, or removed since, newest first. */
  readonly packages: { readonly changes: readonly PackageChange[]; readonly more: boolean };
}

export const deviceHistoryInput = z.object({
  deviceId: idSchema,
  at: momentSchema,
});
