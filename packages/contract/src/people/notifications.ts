/** Notification kinds. For each kind, users choose the portal, a message, both, or neither. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';

export const notificationKinds = [
  /** The user's run finished. */
  'run-ended',
  /** The user's queued command ran on a device that came back online. */
  'queued-ran',
  'schedule-ran',
  'schedule-failed',
  /** The user's schedule would include more devices than allowed. */
  'schedule-paused',
  /** A run needs approval. */
  'run-approval',
  /** The user's run was approved or rejected. */
  'run-decided',
  /** A machine requests to become a device that the user manages. */
  're-enrolment-asked',
  /** A rollout needs approval. */
  'air-blast-approval',
  /** The user's rollout was stopped by its health gate or rejected. */
  'air-blast-stopped',
  'air-blast-ended',
  /** A document version needs the user's review. */
  'document-review',
  /** The user's version was reviewed. */
  'document-reviewed',
  /** A device that the user is waiting for is back online. */
  'device-back',
  /** The user's report is ready. */
  'report-ready',
  'report-failed',
  /** Another user assigned a case to the user. */
  'case-assigned',
  /** A user requests temporary access that the recipient can grant. */
  'elevation-asked',
  /** The user's request was approved or denied. */
  'elevation-decided',
  /** The user's temporary access ended early. */
  'elevation-ended',
  /** An account was locked after too many incorrect codes, and the recipient can unlock it. */
  'account-locked',
  /** A directory ended the access of a user, and the recipient can manage access. */
  'user-left',
  /** A review of access was started, is due soon, or is overdue, and the recipient can decide. */
  'access-review',
  /** The end of a legal hold is requested, and the recipient can approve it. */
  'legal-hold-release',
  /** The audit trail is no longer sealed because its chain cannot be verified. */
  'audit-seal-stopped',
  /** A scheduled backup failed or is overdue. */
  'backup-failed',
  /** The user's webhook was paused by the portal. */
  'webhook-paused',
  /** An authorized action was modified in the database and stopped. */
  'authorization-mismatch',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export type NotificationFacts = Readonly<Record<string, string | number | null>>;

export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly facts: NotificationFacts;
  readonly at: Timestamp;
  readonly readAt: Timestamp | null;
}

export const listNotificationsInput = z.object({
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** Null for all of them. */
export const markNotificationsReadInput = z.object({
  ids: z.array(idSchema).max(200).nullable().default(null),
});

export const notificationSettingSchema = z.object({
  kind: z.enum(notificationKinds),
  /** In the portal. */
  portal: z.boolean(),
  /** By email, or by text message if the user has no email address. */
  message: z.boolean(),
});
export type NotificationSetting = z.infer<typeof notificationSettingSchema>;

/** Maximum count of unread notifications. */
export const UNREAD_COUNTED = 99;

export const deviceWaitInput = z.object({ deviceId: idSchema, wait: z.boolean() });
export const deviceWaitReference = z.object({ deviceId: idSchema });
