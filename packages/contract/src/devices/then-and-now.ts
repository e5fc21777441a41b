import { z } from 'zod';
import type { AuditActor } from '../audit-trail/audit-trail.ts';
import type { FindingRule } from './finding-rules.ts';
import type { FindingSeverity } from './findings.ts';
import { idSchema } from '../ids.ts';
import type { PackageChange } from '../versions/packages.ts';
import type { Timestamp } from '../pages.ts';
import type { InvocationState } from '../states.ts';
import { momentSchema } from '../moment.ts';

/** What is told apart by `name`: components. */
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

/** What was known of one thing at a chosen moment, and what is known now. */
export interface FactThenAndNow {
  readonly fact: ThenFact;
  readonly name: string;
  readonly earlier: string | null;
  readonly now: string | null;
  /** False where the record does not say what it was. */
  readonly isKnown: boolean;
  readonly differs: boolean;
  /** When it last changed since then, and who changed it. */
  readonly changedAt: Timestamp | null;
  readonly changedBy: Pick<AuditActor, 'kind' | 'id' | 'name'> | null;
}

export interface FindingThenAndNow {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly earlier: boolean;
  readonly now: boolean;
  readonly openedAt: Timestamp;
  /** Null while it is open. */
  readonly closedAt: Timestamp | null;
}

/** A command that had been asked for and had not ended at the chosen moment. */
export interface CommandThen {
  readonly invocationId: string;
  readonly command: string;
  /** As it is now. */
  readonly state: InvocationState;
  readonly queuedAt: Timestamp;
  readonly endedAt: Timestamp | null;
}

export interface ThenAndNow {
  readonly at: Timestamp;
  /** The device is on record since then. */
  readonly knownSince: Timestamp;
  readonly facts: readonly FactThenAndNow[];
  /** Open then, or now. */
  readonly findings: readonly FindingThenAndNow[];
  readonly commands: readonly CommandThen[];
  /** What was installed, replaced or removed since, newest first. */
  readonly packages: { readonly changes: readonly PackageChange[]; readonly more: boolean };
}

export const thenAndNowInput = z.object({
  deviceId: idSchema,
  at: momentSchema,
});
