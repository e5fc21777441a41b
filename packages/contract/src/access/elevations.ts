/**
 * Temporary access: a user requests a role with a reason, another user who may grant it approves or denies, and it ends
 * by itself. It can be used, but not granted to others.
 */

import { z } from 'zod';
import { scopeSchema } from './access.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Permission, Scope } from './permissions.ts';
import type { ElevationState } from '../states.ts';

export type { ElevationBond } from './elevation-bond.ts';

export const ELEVATION_MIN_MINUTES = 1;
export const ELEVATION_MAX_MINUTES = 480;
export const ELEVATION_DEFAULT_MINUTES = 60;
/** A request without a decision expires after this time. */
export const ELEVATION_ANSWER_HOURS = 24;

export const askElevationInput = z.object({
  roleId: idSchema,
  /** Within the role's own. */
  scope: scopeSchema.prefault({}),
  reason: z.string().trim().min(3).max(500),
  minutes: z
    .int()
    .min(ELEVATION_MIN_MINUTES)
    .max(ELEVATION_MAX_MINUTES)
    .default(ELEVATION_DEFAULT_MINUTES),
  /** An open case in which one works: it ends with it, if that is sooner. */
  caseId: idSchema.nullable().default(null),
});
export type AskElevation = z.infer<typeof askElevationInput>;

export const elevationReferenceInput = z.object({ id: idSchema });

export const grantElevationInput = z.object({
  id: idSchema,
  /** At most what was asked for; null gives that. */
  minutes: z.int().min(ELEVATION_MIN_MINUTES).max(ELEVATION_MAX_MINUTES).nullable().default(null),
});

export const refuseElevationInput = z.object({
  id: idSchema,
  note: z.string().trim().max(500).default(''),
});

export const listElevationsInput = z.object({
  /** Those that wait or go on, or all of them. */
  open: z.boolean().default(true),
  /** Only the viewer's own: whoever may not read access sees nothing else. */
  mine: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});
export type ListElevations = z.infer<typeof listElevationsInput>;

/** Why one that went on has ended. */
export const elevationEnds = [
  'time',
  'given-back',
  'taken',
  'case-closed',
  'role-changed',
  'user-left',
] as const;
export type ElevationEnd = (typeof elevationEnds)[number];

/** Why the viewer cannot answer one that waits. */
export interface ElevationObstacle {
  /** Their own is for somebody else to answer; what one does not hold for good cannot be given. */
  readonly reason: 'own' | 'not-held';
  /** What they lack, at most five. */
  readonly permissions: readonly Permission[];
}

export interface ElevationRow {
  readonly id: string;
  readonly userId: string;
  /** Masked where the viewer may not see people. */
  readonly username: string;
  readonly mine: boolean;
  readonly roleId: string;
  readonly roleName: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
  readonly reason: string;
  readonly minutes: number;
  readonly caseId: string | null;
  readonly state: ElevationState;
  readonly askedAt: Timestamp;
  readonly decidedAt: Timestamp | null;
  readonly decidedBy: string | null;
  /** What was said with a refusal. */
  readonly note: string;
  readonly endsAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly endedBy: string | null;
  readonly endReason: ElevationEnd | null;
  /** Null where the viewer can answer it, or where nobody can any more. */
  readonly obstacle: ElevationObstacle | null;
}

/** A role that can be asked for. */
export interface ElevationOffer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
}

export const madeKinds = ['claim', 'schedule', 'report-share', 'access-key'] as const;

/** Something that was made by temporary access. */
export interface MadeByElevation {
  readonly kind: (typeof madeKinds)[number];
  readonly id: string;
  /** Empty where it has none. */
  readonly name: string;
  readonly at: Timestamp;
  /** It can still be used. */
  readonly inForce: boolean;
}

/** What somebody holds for a time, as their session tells. */
export interface RunningElevation {
  readonly id: string;
  readonly role: string;
  readonly scope: Scope;
  readonly endsAt: Timestamp;
}
