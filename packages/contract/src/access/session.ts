import { z } from 'zod';
import type { RunningAccessGrant } from './access-grants.ts';
import type { Grant } from './permissions.ts';
import type { Timestamp } from '../pages.ts';

/** The signed-in user and their permissions, from `session.get`. */
export interface SessionDetail {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
  /** Whether an administrator has admitted this user, which is required to request access. */
  readonly admitted: boolean;
  /** The user is an administrator who must add a passkey first, and has no grants until then. */
  readonly mustAddPasskey: boolean;
  /** Temporary access that is part of the roles and grants, the earliest to end first. */
  readonly accessGrants: readonly RunningAccessGrant[];
  readonly preferences: Preferences;
  /** Absolute end of the session, regardless of token refreshes. */
  readonly endsAt: Timestamp;
  readonly serverNow: Timestamp;
}

export const preferencesSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  density: z.enum(['comfortable', 'compact']).optional(),
  language: z.enum(['en', 'zh-CN']).optional(),
  shortcuts: z.boolean().optional(),
  navigationOpen: z.boolean().optional(),
  /** Per table: visible columns in order, page size, wrapped lines, striped rows. */
  tables: z
    .record(
      z.string().max(64),
      z.object({
        columns: z.array(z.string().max(64)).max(60).optional(),
        pageSize: z.int().min(10).max(100).optional(),
        wrapLines: z.boolean().optional(),
        stripedRows: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Per screen (`devices`): the saved view that is used when the URL has no parameters. */
  defaultViews: z.record(z.string().max(64), z.string().max(64)).optional(),
  /** The steps of setting up the installation are hidden on the home page. */
  setupDismissed: z.boolean().optional(),
  favoriteCommands: z.array(z.string().max(128)).max(50).optional(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** An object that the viewer opened, for "recent" lists. */
export const recentItemSchema = z.object({
  kind: z.enum(['device', 'document', 'run', 'person']),
  id: z.string().max(160),
  label: z.string().max(200),
});
export type RecentItem = z.infer<typeof recentItemSchema> & { readonly at: Timestamp };
