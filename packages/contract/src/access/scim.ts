import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { nameSchema } from '../name-schema.ts';
import type { Timestamp } from '../pages.ts';

/** A token is valid for this time unless it is rotated. */
export const SCIM_TOKEN_DAYS = { least: 1, most: 730, usual: 365 } as const;

/** After a rotation, the old token is still valid for this time, so that the directory can be changed. */
export const SCIM_OVERLAP_HOURS = 24;

/** A directory that creates, changes, and suspends users by SCIM. */
export interface ScimConnectionRow {
  readonly id: string;
  readonly name: string;
  /** Roles whose members the directory decides. */
  readonly roleIds: readonly string[];
  /** Username; null if the user was erased. */
  readonly createdBy: string | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** When the token before the last rotation ends; null without one. */
  readonly previousEndsAt: Timestamp | null;
  readonly lastRequestAt: Timestamp | null;
  readonly lastChangeAt: Timestamp | null;
  readonly lastErrorAt: Timestamp | null;
  /** Status, method, and endpoint of the last rejected request. */
  readonly lastError: string | null;
}

export interface ScimConnections {
  /** What to enter in the directory. */
  readonly url: string;
  readonly connections: readonly ScimConnectionRow[];
  /** False if users are created at an external provider. Directories then only end and restore access. */
  readonly createsUsers: boolean;
}

/** The token is not stored and cannot be shown again. */
export interface NewScimToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Timestamp;
}

const roleIds = z.array(idSchema).max(100);

export const createScimConnectionInput = z.object({
  name: nameSchema({ max: 64 }),
  roleIds: roleIds.default([]),
  days: z.int().min(SCIM_TOKEN_DAYS.least).max(SCIM_TOKEN_DAYS.most).default(SCIM_TOKEN_DAYS.usual),
});
export type NewScimConnection = z.output<typeof createScimConnectionInput>;

export const editScimConnectionInput = z.object({
  id: idSchema,
  name: nameSchema({ max: 64 }),
  roleIds,
});
export type ScimConnectionEdit = z.output<typeof editScimConnectionInput>;

export const rotateScimTokenInput = z.object({
  id: idSchema,
  days: createScimConnectionInput.shape.days,
  /** Ends the old token at once, for one that was leaked. */
  endNow: z.boolean().default(false),
});
export type ScimTokenRotation = z.output<typeof rotateScimTokenInput>;

export const scimConnectionReference = z.object({ id: idSchema });
