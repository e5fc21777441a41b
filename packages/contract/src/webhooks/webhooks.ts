import { z } from 'zod';
import type { AlertDeliveryState } from '../alerts/alerts.ts';
import { idSchema } from '../ids.ts';
import { nameSchema } from '../name-schema.ts';
import type { Timestamp } from '../pages.ts';

/** What applications can subscribe to. Each type is a committed entry of the audit trail. */
export const webhookEventTypes = [
  'device.created',
  'device.changed',
  'device.retired',
  'device.online',
  'device.offline',
  'command.ended',
  'run.needs-approval',
  'run.finished',
  'case.opened',
  'case.changed',
  'case.closed',
  'case.reopened',
  'alert.fired',
  'alert.resolved',
  'import.finished',
  'import.undone',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export const WEBHOOK_LIMITS = {
  /** Events of a request. */
  events: 100,
  /** Prepared requests of a webhook; further events wait in the audit trail. */
  prepared: 10,
  /** A webhook whose oldest event waits for longer is paused. */
  waitingDays: 3,
  /** Failed requests without a successful one in between, after which a webhook is paused. */
  failures: 10,
  /** Time for a response. */
  responseSeconds: 10,
  /** For this long, a replaced secret signs as well. */
  rotationHours: 24,
  nameCharacters: 80,
  urlCharacters: 2_000,
} as const;

/** Why nothing is sent. The first one by a user, the others by the portal. */
export const webhookPauseReasons = [
  'paused',
  'owner-inactive',
  'owner-not-permitted',
  'failing',
  'behind',
] as const;
export type WebhookPauseReason = (typeof webhookPauseReasons)[number];

const webhookFields = {
  name: nameSchema({ max: WEBHOOK_LIMITS.nameCharacters }),
  url: z.url({ protocol: /^https?$/ }).max(WEBHOOK_LIMITS.urlCharacters),
  eventTypes: z
    .array(z.enum(webhookEventTypes))
    .min(1)
    .transform((types) => webhookEventTypes.filter((type) => types.includes(type))),
};

export const createWebhookInput = z.strictObject(webhookFields);
export type NewWebhook = z.infer<typeof createWebhookInput>;

export const changeWebhookInput = z.strictObject({
  ...{ id: idSchema, ...webhookFields },
  /** Null to keep the address, which is not shown in whole. */
  url: webhookFields.url.nullable(),
});
export type ChangedWebhook = z.infer<typeof changeWebhookInput>;

export const webhookReference = z.strictObject({ id: idSchema });
export const webhookDeliveryReference = z.strictObject({ id: idSchema });

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  /** The host of its address: the rest can contain keys. */
  readonly host: string;
  readonly eventTypes: readonly WebhookEventType[];
  /** Username; null if the user was erased. */
  readonly owner: string | null;
  /** Only the owner can change a webhook, because it sends what its owner sees. */
  readonly isOwn: boolean;
  readonly pausedBecause: WebhookPauseReason | null;
  readonly pausedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly lastDeliveredAt: Timestamp | null;
  /** Requests that wait, or are being repeated. */
  readonly waiting: number;
  /** Requests that were given up. */
  readonly failed: number;
  /** Until then, a replaced secret signs as well. */
  readonly rotatingUntil: Timestamp | null;
}

export type WebhookDeliveryState = AlertDeliveryState;

export interface WebhookDeliveryRow {
  readonly id: string;
  readonly state: WebhookDeliveryState;
  readonly events: number;
  /** Number of the first event. */
  readonly firstSequence: number;
  /** Events up to this time were left out, because they waited for too long; null for a request with events. */
  readonly gapUntil: Timestamp | null;
  readonly attempts: number;
  /** HTTP status of the last response; null without one. */
  readonly status: number | null;
  /** Duration of the last attempt in ms. */
  readonly durationMs: number | null;
  /** An HTTP status or an error code, without content of the response. */
  readonly lastError: string | null;
  readonly createdAt: Timestamp;
  readonly nextAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly canRetry: boolean;
}

export interface WebhookDetail extends WebhookRow {
  /** Latest first. */
  readonly deliveries: readonly WebhookDeliveryRow[];
}

/** The secret is shown once. */
export interface WebhookSecret {
  readonly id: string;
  readonly secret: string;
}

export interface WebhookTestResult {
  readonly ok: boolean;
  /** For a failed test: an HTTP status or an error code. */
  readonly error: string | null;
  readonly durationMs: number;
}
