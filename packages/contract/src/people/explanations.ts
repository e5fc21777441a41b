/**
 * Explanations of why something is not finished or was rejected. The server creates them in one
 * place (`apps/server/src/explanations`), and every screen uses the same component.
 */

import { z } from 'zod';
import { commandNameSchema } from '../commands/commands.ts';
import { documentNameSchema } from '../documents/documents.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';
import { versionNumberSchema } from '../versions/version-number.ts';

export const explainInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), id: idSchema }),
  z.object({ kind: z.literal('invocation'), id: idSchema }),
  /** Each component of a device that does not have the approved version. */
  z.object({ kind: z.literal('device-versions'), id: idSchema }),
  z.object({ kind: z.literal('air-blast'), id: idSchema }),
  z.object({ kind: z.literal('air-blast-target'), id: idSchema, deviceId: idSchema }),
  z.object({ kind: z.literal('schedule'), id: idSchema }),
  z.object({
    kind: z.literal('document-version'),
    name: documentNameSchema,
    version: versionNumberSchema,
  }),
  /** A command for which a device would be excluded. */
  z.object({
    kind: z.literal('command-target'),
    command: commandNameSchema,
    /** `name` or `name:version`; leave empty for the command's own document. */
    document: z.string().max(160).default(''),
    deviceId: idSchema,
  }),
  /** An action that was rejected (1000), on one device if it was about one. */
  z.object({
    kind: z.literal('permission'),
    permission: z.string().min(1).max(160),
    deviceId: idSchema.nullable().default(null),
  }),
]);
export type ExplainInput = z.infer<typeof explainInput>;
export type ExplainedKind = ExplainInput['kind'];

export const reasonCodes = [
  'device-suspended',
  'device-retired',
  'device-not-enrolled',
  'device-never-connected',
  'device-offline',
  'device-unknown',
  'device-no-serial-number',
  'command-needs-agent',
  'ssm-agent-too-old',
  'run-paused',
  'run-approval',
  'run-cancelling',
  'run-cancelled',
  'run-rejected',
  'run-too-many-errors',
  'run-not-successful',
  'run-no-devices',
  'run-devices-offline',
  'run-devices-suspended',
  'run-devices-waiting',
  'run-devices-running',
  'run-devices-ended',
  'turn-not-reached',
  'behind-run',
  'about-to-be-sent',
  'sent-unanswered',
  'running',
  'silent',
  'cancel-requested',
  'cancelled',
  'precondition-false',
  'failed',
  'invalid-platform',
  'access-denied',
  'right-ended',
  'delivery-timed-out',
  'execution-timed-out',
  'too-many-errors',
  'instance-superseded',
  'agent-outdated',
  'terminated',
  'version-blocked',
  'nothing-approved',
  'version-behind',
  'version-ahead',
  'version-differs',
  'version-overdue',
  'version-not-yet-mandatory',
  'no-artifact',
  'commands-waiting',
  'report-old',
  'schedule-next',
  'schedule-due',
  'schedule-paused',
  'schedule-done',
  'schedule-missed',
  'schedule-refused',
  'schedule-grew',
  'schedule-changed',
  'authorization-missing',
  'document-draft',
  'document-rejected',
  'document-in-review',
  'document-own-review',
  'document-other-in-review',
  'document-deprecated',
  'air-blast-paused',
  'air-blast-approval',
  'air-blast-rejected',
  'air-blast-failed',
  'air-blast-aborted',
  'air-blast-wave',
  'air-blast-last-wave',
  'air-blast-step-devices',
  'air-blast-soak',
  'air-blast-verifying',
  'air-blast-running',
  'air-blast-next-step',
  'air-blast-your-step',
  'air-blast-role-needed',
  'air-blast-role-ended',
  'air-blast-token-ended',
  'target-excluded',
  'target-no-go',
  'target-waits-step',
  'target-waits-wave',
  'target-not-verified',
  'permission-missing',
  'permission-elsewhere',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Actions that unblock something. The screen has a button or link for each of them. */
export const reasonActs = [
  'open-device',
  'wait-for-device',
  'enroll-device',
  'resume-device',
  'open-run',
  'resume-run',
  'retry-failed',
  'open-invocation',
  'cancel-invocation',
  'run-command',
  'approve-version',
  'roll-out',
  'upload-artifact',
  'resume-schedule',
  'run-now',
  'open-document',
  'edit-document',
  'send-for-review',
  'review-document',
  'open-air-blast',
  'approve-air-blast',
  'resume-air-blast',
  'retry-air-blast',
  'take-over-air-blast',
  'edit-air-blast',
  'open-roles',
  'request-access',
] as const;
export type ReasonActKind = (typeof reasonActs)[number];

export interface ReasonAct {
  readonly kind: ReasonActKind;
  /** The action's object: IDs and names for the link or call. */
  readonly on: Readonly<Record<string, string | number>>;
  /** Why the viewer cannot do it, and who can; null if the viewer can. */
  readonly lacks: ReasonLack | null;
}

export interface ReasonLack {
  /**
   * `right`: the viewer does not have the permission. `reach`: not for this device. `person`: the
   * viewer has the permission, but another user must act.
   */
  readonly kind: 'right' | 'reach' | 'person';
  readonly permission: string;
  /** Roles with the permission. */
  readonly roles: readonly string[];
  /** The only user who can act; null if any other user can. */
  readonly who: string | null;
}

/** A reason: the fact, its start, and the action that unblocks it. */
export interface Reason {
  readonly code: ReasonCode;
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** Start of the condition. */
  readonly since: Timestamp | null;
  /** When it ends automatically. */
  readonly until: Timestamp | null;
  /** Null only if another reason has the action. */
  readonly act: ReasonAct | null;
}

export interface Explanation {
  /** The affected component of a device, if there are several. */
  readonly about: { readonly component: string; readonly installed: string } | null;
  /** The most direct first. */
  readonly reasons: readonly Reason[];
}
