import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { utcMomentSchema } from '../moment.ts';
import type { Timestamp } from '../pages.ts';

export const heldKinds = ['user', 'customer', 'device', 'case'] as const;
export type HeldKind = (typeof heldKinds)[number];

/** Something that an administrator named in a hold. */
export interface HeldSubject {
  readonly kind: HeldKind;
  readonly id: string;
  /** Username, serial number, or ticket of the case. */
  readonly label: string;
}

export type LegalHoldState = 'active' | 'release-requested' | 'released' | 'expired';

export interface LegalHoldRow {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** Empty for a hold of everything in a time range. */
  readonly subjects: readonly HeldSubject[];
  /** Range of the held data; null without a limit. */
  readonly from: Timestamp | null;
  readonly to: Timestamp | null;
  /** When the hold ends by itself; null for one that must be released. */
  readonly until: Timestamp | null;
  readonly state: LegalHoldState;
  readonly setBy: string | null;
  readonly setAt: Timestamp;
  readonly releaseReason: string;
  readonly releaseRequestedBy: string | null;
  readonly releaseRequestedAt: Timestamp | null;
  readonly endedBy: string | null;
  readonly endedAt: Timestamp | null;
  /** Whether the viewer can approve the release: not their own request. */
  readonly canApprove: boolean;
}

/** An erasure that was requested under a hold, and starts when no hold covers the person. */
export interface WaitingErasure {
  readonly id: string;
  readonly kind: 'user' | 'customer';
  readonly personId: string;
  readonly username: string;
  readonly requestedBy: string | null;
  readonly requestedAt: Timestamp;
  /** Names of the holds that cover the person now. */
  readonly holds: readonly string[];
}

export interface LegalHolds {
  readonly holds: readonly LegalHoldRow[];
  readonly waiting: readonly WaitingErasure[];
}

/** Subjects that can be named in one hold. */
export const MOST_HELD = 200;

export const setLegalHoldInput = z
  .object({
    name: z.string().trim().min(1).max(120),
    reason: z.string().trim().min(1).max(1_000),
    /** Serial numbers; usernames, email addresses, or phone numbers of users and customers; addresses of cases. */
    subjects: z.array(z.string().trim().min(1).max(320)).max(MOST_HELD).default([]),
    from: utcMomentSchema.nullable().default(null),
    to: utcMomentSchema.nullable().default(null),
    until: utcMomentSchema.nullable().default(null),
  })
  .refine(({ subjects, from, to }) => subjects.length > 0 || from !== null || to !== null, {
    path: ['subjects'],
    message: 'name a subject or a time range',
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    path: ['to'],
    message: 'must not be before the start',
  });
export type NewLegalHold = z.output<typeof setLegalHoldInput>;

export const requestReleaseInput = z.object({
  id: idSchema,
  reason: z.string().trim().min(1).max(500),
});

export const legalHoldReference = z.object({ id: idSchema });
