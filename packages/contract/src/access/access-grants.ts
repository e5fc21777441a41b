/**
 * Temporary access: a user requests a role with a reason, another user who may grant it approves or denies, and it ends
 * by itself. It can be used, but not granted to others.
 */

import { z } from 'zod';
import { scopeSchema } from './access.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Permission, Scope } from './permissions.ts';
import type { AccessGrantState } from '../states.ts';

export type { AccessGrantBond } from './access-grant-bond.ts';

export const ACCESS_GRANT_MIN_MINUTES = 1;
export const ACCESS_GRANT_MAX_MINUTES = 480;
export const ACCESS_GRANT_DEFAULT_MINUTES = 60;
/** A request without a decision expires after this time. */
export const ACCESS_GRANT_ANSWER_HOURS = 24;

export const requestAccessGrantInput = z.object({
  roleId: idSchema,
  /** Must be within the role's scope. */
  scope: scopeSchema.prefault({}),
  reason: z.string().trim().min(3).max(500),
  minutes: z
    .int()
    .min(ACCESS_GRANT_MIN_MINUTES)
    .max(ACCESS_GRANT_MAX_MINUTES)
    .default(ACCESS_GRANT_DEFAULT_MINUTES),
  /** The active case. The access ends with it, if that is earlier. */
  caseId: idSchema.nullable().default(null),
});
export type RequestAccessGrant = z.infer<typeof requestAccessGrantInput>;

export const accessGrantReferenceInput = z.object({ id: idSchema });

export const approveAccessGrantInput = z.object({
  id: idSchema,
  /** At most the requested duration; null grants the requested one. */
  minutes: z
    .int()
    .min(ACCESS_GRANT_MIN_MINUTES)
    .max(ACCESS_GRANT_MAX_MINUTES)
    .nullable()
    .default(null),
});

export const denyAccessGrantInput = z.object({
  id: idSchema,
  note: z.string().trim().max(500).default(''),
});

export const listAccessGrantsInput = z.object({
  /** Only pending requests and access in effect; false for all. */
  open: z.boolean().default(true),
  /** Only the viewer's own. Users who cannot read access see nothing else. */
  mine: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});
export type ListAccessGrants = z.infer<typeof listAccessGrantsInput>;

/** Why temporary access ended. */
export const accessGrantEnds = [
  'time',
  'given-back',
  'taken',
  'case-closed',
  'role-changed',
  'user-left',
] as const;
export type AccessGrantEnd = (typeof accessGrantEnds)[number];

/** Why the viewer cannot decide on a pending request. */
export interface AccessGrantObstacle {
  /**
   * `own`: another user must decide. `not-held`: permissions that the viewer has only temporarily,
   * or not at all, cannot be granted.
   */
  readonly reason: 'own' | 'not-held';
  /** The missing permissions, at most five. */
  readonly permissions: readonly Permission[];
}

export interface AccessGrantRow {
  readonly id: string;
  readonly userId: string;
  /** Masked if the viewer cannot see people. */
  readonly username: string;
  readonly mine: boolean;
  readonly roleId: string;
  readonly roleName: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
  readonly reason: string;
  readonly minutes: number;
  readonly caseId: string | null;
  readonly state: AccessGrantState;
  readonly askedAt: Timestamp;
  readonly decidedAt: Timestamp | null;
  readonly decidedBy: string | null;
  /** Comment on a denial. */
  readonly note: string;
  readonly endsAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly endedBy: string | null;
  readonly endReason: AccessGrantEnd | null;
  /** Null if the viewer can decide, or if the request is no longer pending. */
  readonly obstacle: AccessGrantObstacle | null;
}

/** A role that can be requested. */
export interface AccessGrantOffer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
}

export const madeKinds = ['claim', 'schedule', 'report-share', 'access-key'] as const;

/** An object that was created with temporary access. */
export interface MadeByAccessGrant {
  readonly kind: (typeof madeKinds)[number];
  readonly id: string;
  /** Empty if it has no name. */
  readonly name: string;
  readonly at: Timestamp;
  /** Whether it is still usable. */
  readonly inForce: boolean;
}

/** Temporary access in effect, as part of the session. */
export interface RunningAccessGrant {
  readonly id: string;
  readonly role: string;
  readonly scope: Scope;
  readonly endsAt: Timestamp;
}
