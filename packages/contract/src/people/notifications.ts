/** What a person is told of by themselves: in the portal, by message, or not at all, as they set it for each kind. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';

export const notificationKinds = [
  /** A run of mine ended. */
  'run-ended',
  /** A command of mine that waited ran on a device that came back. */
  'queued-ran',
  'schedule-ran',
  'schedule-failed',
  /** A schedule of mine would reach more devices than were agreed. */
  'schedule-paused',
  /** A run waits for a second person. */
  'run-approval',
  /** A run of mine was approved or rejected. */
  'run-decided',
  /** A machine asks to become a device that I manage. */
  're-enrolment-asked',
  /** An AirBlast waits for a second person. */
  'air-blast-approval',
  /** An AirBlast of mine was stopped by its health gate, or turned down. */
  'air-blast-stopped',
  'air-blast-ended',
  /** A version of a document waits for my review. */
  'document-review',
  /** A version of mine was reviewed. */
  'document-reviewed',
  /** A device that I asked about is back. */
  'device-back',
  /** A report that I asked for can be read. */
  'report-ready',
  'report-failed',
  /** A colleague asks for a role for a time, and I may give it. */
  'elevation-asked',
  /** What I asked for was given or refused. */
  'elevation-decided',
  /** What I held for a time was taken before its time. */
  'elevation-ended',
  /** An account took too many wrong codes in a row, and I may unlock it. */
  'account-locked',
  /** The audit trail is not sealed any more: its chain cannot be verified. */
  'audit-seal-stopped',
  /** What was authorized was changed in the database, and stopped. */
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

/** Null: all of them. */
export const markNotificationsReadInput = z.object({
  ids: z.array(idSchema).max(200).nullable().default(null),
});

export const notificationSettingSchema = z.object({
  kind: z.enum(notificationKinds),
  /** Under the bell. */
  portal: z.boolean(),
  /** To the person's e-mail, else their phone. */
  message: z.boolean(),
});
export type NotificationSetting = z.infer<typeof notificationSettingSchema>;

/** Counted up to here: more says nothing more. */
export const UNREAD_COUNTED = 99;

export const deviceWaitInput = z.object({ deviceId: idSchema, wait: z.boolean() });
export const deviceWaitReference = z.object({ deviceId: idSchema });
