import { z } from 'zod';
import { idSchema } from '../ids.ts';
import {
  cursorSchema,
  pageSizeSchema,
  timeRangeSchema,
  type SearchPage,
  type Timestamp,
} from '../pages.ts';
import { momentSchema } from '../moment.ts';

/** Events that the server records. Devices report more as `device.<type>`. */
export const auditTypes = [
  'device.created',
  'device.updated',
  'device.labels-changed',
  'device.suspended',
  'device.resumed',
  'device.retired',
  'device.deleted',
  'device.note-added',
  'device.note-removed',
  'device.claim-created',
  'device.claim-revoked',
  'device.claim-ended',
  'device.enrolled',
  'device.re-enrolled',
  'device.re-enrolment-requested',
  'device.re-enrolment-approved',
  'device.re-enrolment-rejected',
  'device.certificate-renewed',
  'device.connected',
  'device.disconnected',
  'device.degraded',
  'device.recovered',
  'device.inventory-changed',
  'device.software-changed',
  'device.packages-changed',
  'device.refused',
  'device.journal-gap',
  'device.over-limit',
  'device.location-viewed',
  'device.location-set',
  'device.list-exported',
  'command.requested',
  'command.sent',
  'command.started',
  'command.finished',
  'command.paused',
  'command.resumed',
  'command.approved',
  'command.rejected',
  'command.approval-requested',
  'command.run-finished',
  'command.cancel-requested',
  'command.cancelled',
  'command.timed-out',
  'command.terminated',
  'command.artefact-collected',
  'command.results-exported',
  'command.authorization-mismatch',
  'schedule.created',
  'schedule.paused',
  'schedule.resumed',
  'schedule.deleted',
  'schedule.missed',
  'schedule.refused',
  'document.created',
  'document.version-added',
  'document.default-changed',
  'document.deprecated',
  'document.state-changed',
  'document.review-requested',
  'document.review-withdrawn',
  'document.approved',
  'document.rejected',
  'document.version-deprecated',
  'document.tried',
  'version.registered',
  'version.state-changed',
  'version.approval-set',
  'version.approval-withdrawn',
  'version.artefact-added',
  'version.changed',
  'access.signed-in',
  'access.signed-out',
  'access.wrong-code',
  'access.sign-in-refused',
  'access.sign-in-locked',
  'access.account-locked',
  'access.step-up-confirmed',
  'access.step-up-failed',
  'access.user-created',
  'access.user-changed',
  'access.user-disabled',
  'access.user-enabled',
  'access.user-unlocked',
  'access.user-deleted',
  'access.user-signed-out',
  'access.group-created',
  'access.group-member-added',
  'access.group-member-removed',
  'access.access-key-created',
  'access.access-key-revoked',
  'access.role-assumed',
  'access.signing-key-rotated',
  'access.device-key-prepared',
  'access.device-key-promoted',
  'access.device-key-expired',
  'access.device-key-withdrawn',
  'access.message-refused',
  'access.links-refused',
  'access.role-created',
  'access.role-edited',
  'access.role-deleted',
  'access.user-invited',
  'access.user-roles-changed',
  'access.user-status-changed',
  'access.review-started',
  'access.review-decided',
  'access.review-closed',
  'access.review-exported',
  'access.directory-connection-created',
  'access.directory-connection-changed',
  'access.directory-token-rotated',
  'access.directory-connection-revoked',
  'access.directory-user-created',
  'access.directory-user-changed',
  'access.directory-user-removed',
  'access.api-token-created',
  'access.api-token-revoked',
  'access.api-token-used-from-new-address',
  'access.application-approved',
  'access.application-denied',
  'access.user-code-locked',
  'alert.rule-created',
  'alert.rule-changed',
  'alert.rule-deleted',
  'alert.rule-muted',
  'alert.rule-unmuted',
  'alert.rule-stopped',
  'alert.fired',
  'alert.resolved',
  'alert.notices-paused',
  'alert.delivery-failed',
  'alert.delivery-retried',
  'alert.destination-tested',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret-rotated',
  'webhook.paused',
  'webhook.resumed',
  'webhook.tested',
  'webhook.delivery-failed',
  'webhook.delivery-retried',
  'legal-hold.set',
  'legal-hold.release-requested',
  'legal-hold.release-rejected',
  'legal-hold.released',
  'legal-hold.expired',
  'people.created',
  'people.updated',
  'people.deleted',
  'people.erasure-held',
  'people.record-exported',
  'people.erased',
  'people.erased-again',
  'people.erasure-completed',
  'import.confirmed',
  'import.completed',
  'import.undo-started',
  'import.undone',
  'access.elevation-asked',
  'access.elevation-granted',
  'access.elevation-refused',
  'access.elevation-withdrawn',
  'access.elevation-lapsed',
  'access.elevation-ended',
  'provider.application-created',
  'provider.application-changed',
  'provider.application-removed',
  'provider.application-secret-rotated',
  'provider.access-key-created',
  'provider.access-key-revoked',
  'provider.saml-service-saved',
  'provider.saml-service-removed',
  'provider.department-created',
  'provider.department-changed',
  'provider.department-removed',
  'provider.department-member-added',
  'provider.department-member-removed',
  'provider.role-created',
  'provider.role-changed',
  'provider.role-removed',
  'provider.role-member-added',
  'provider.role-member-removed',
  'settings.preferences-changed',
  'settings.notification-changed',
  'settings.view-saved',
  'settings.view-removed',
  'settings.run-rules-changed',
  'settings.table-read-again',
  'settings.ticket-system-saved',
  'settings.ticket-system-removed',
  'air-blast.planned',
  'air-blast.plan-edited',
  'air-blast.step-started',
  'air-blast.step-finished',
  'air-blast.step-failed',
  'air-blast.wave-opened',
  'air-blast.approved',
  'air-blast.approval-voided',
  'air-blast.rejected',
  'air-blast.paused',
  'air-blast.resumed',
  'air-blast.aborted',
  'air-blast.retried',
  'air-blast.left-out',
  'air-blast.waiting-stopped',
  'air-blast.role-assumed',
  'air-blast.token-renewed',
  'air-blast.offered',
  'air-blast.taken-over',
  'audit-trail.exported',
  'evidence.exported',
  'audit-trail.month-archived',
  'audit-trail.month-deleted',
  'installation.backed-up',
  'installation.backup-failed',
  'installation.backup-requested',
  'installation.restored',
  'audit-trail.events-refused',
  'audit-trail.seal-stopped',
  'audit-trail.anchor-cut',
  'audit-trail.key-announced',
  'audit-trail.key-rotated',
  'installation.secret-rotated',
  'installation.secret-retired',
  'installation.secret-accepted',
  'installation.secrets-copied',
  'installation.files-moved',
  'report.created',
  'case.opened',
  'case.joined',
  'case.updated',
  'case.assigned',
  'case.unassigned',
  'case.note-added',
  'case.closed',
  'case.reopened',
  'case.alert-resolved',
  'case.ticket-requested',
  'case.ticket-created',
  'case.ticket-failed',
  'case.ticket-retried',
  'report.opened',
  'report.downloaded',
  'report.shared',
  'report.share-renewed',
  'report.share-ended',
  'report.share-opened',
  'terminal.opened',
  'terminal.ended',
  'terminal.closed',
  'terminal.recording-viewed',
  'file.listed',
  'file.read',
  'file.write-requested',
  'file.written',
  'file.refused',
  'terminal.recordings-searched',
  'terminal.watched',
  'terminal.consent-given',
  'terminal.consent-rule-changed',
  'web-page.opened',
  'web-page.ended',
  'web-page.closed',
  'web-page.consent-given',
] as const;
export type AuditType = (typeof auditTypes)[number] | `device-event.${string}`;

export interface AuditActor {
  readonly kind: 'user' | 'device' | 'system';
  readonly id: string | null;
  /** A username or device name; masked if the viewer cannot see people. */
  readonly name: string;
  readonly address: string | null;
}

export interface AuditEvent {
  readonly id: string;
  readonly at: Timestamp;
  readonly type: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly serialNumber: string | null;
  /** The command of the event's run. */
  readonly command: string | null;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  /** IDs that a screen can link to, such as run, invocation, or document. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** When the event happened. Events that were reported late have their own time. */
export function occurredAt({ at, data }: Pick<AuditEvent, 'at' | 'data'>): Timestamp {
  const own = data['occurredAt'];
  return typeof own === 'string' && !Number.isNaN(Date.parse(own)) ? own : at;
}

export const auditFilterSchema = z.object({
  deviceId: idSchema.nullable().default(null),
  /** A user's id. */
  actorId: z.string().max(128).nullable().default(null),
  actorKind: z.enum(['user', 'device', 'system']).nullable().default(null),
  /** Types, or a prefix with a wildcard: `command.*`. */
  types: z.array(z.string().max(128)).max(50).default([]),
  requestId: z.string().max(128).nullable().default(null),
  runId: idSchema.nullable().default(null),
  caseId: idSchema.nullable().default(null),
  /** Source address of the user. */
  address: z.string().max(64).nullable().default(null),
  result: z.enum(['success', 'failure']).nullable().default(null),
  range: timeRangeSchema.prefault({}),
  text: z.string().trim().max(200).default(''),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const listAuditEventsInput = z.object({
  filter: auditFilterSchema.prefault({}),
  pageSize: pageSizeSchema,
  /**
   * Extends the page by at most 200 events, so that it does not end within a group of repeated
   * events.
   */
  whole: z.boolean().default(false),
  cursor: cursorSchema,
});

export interface AuditPage extends SearchPage<AuditEvent> {
  /** On the last page: the newest archived event in the time range; null if there is none. */
  readonly archivedUntil: Timestamp | null;
}

/** Events from the archive. */
export interface ArchivedAuditPage extends SearchPage<AuditEvent> {
  /** Months whose file is missing: `2026-08`. */
  readonly gaps: readonly string[];
}

export const exportAuditTrailInput = z.object({
  filter: auditFilterSchema.prefault({}),
  format: z.enum(['csv', 'json']),
});

/** A finished export: a signed link to its file, and its manifest. */
export interface AuditExport {
  readonly downloadUrl: string;
  /** The same facts with the filter and the exporter, as a separate file. */
  readonly manifestUrl: string;
  /** Link to the proof, which verifies the events without the portal. */
  readonly proofUrl: string;
  readonly proofName: string;
  readonly fileName: string;
  readonly count: number;
  readonly sha256: string;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
}

/**
 * Blocks of the chain after a given block. `events` adds the content of the blocks, if the viewer
 * can see all events.
 */
export const readAuditChainInput = z.object({
  after: z.int().nonnegative().default(0),
  /** With `after` 0: starts with the first block sealed at or after this time. */
  from: momentSchema.nullable().default(null),
  depth: z.enum(['links', 'events']).default('links'),
});

export interface AuditChainBlock {
  readonly number: number;
  readonly firstSequence: number;
  readonly count: number;
  readonly root: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly sealedAt: Timestamp;
  readonly keyId: string;
  readonly signature: string;
  /** Null if it was not requested or the viewer cannot see it. */
  readonly content: {
    /** Hashes of the events as sealed, 32 bytes each, base64. */
    readonly leaves: string;
    /** The current events, in the order of `recordFields`, or the ID of a deleted one. */
    readonly records: readonly (readonly (string | null)[] | { readonly gone: string })[];
  } | null;
}

/** An external anchor that stores blocks of the chain. */
export interface AuditAnchorState {
  readonly target: 'file' | 'syslog' | 's3' | 'tsa';
  /** Number of the newest delivered block. */
  readonly delivered: number;
  /** When the oldest undelivered block was sealed; null if all are delivered. */
  readonly waitingSince: Timestamp | null;
  /** Whether the delivery is overdue. */
  readonly late: boolean;
}

/** A part of the chain, and the chain's end. */
export interface AuditChain {
  /** The block before the first of this part; null at the start of the trail. */
  readonly before: AuditChainBlock | null;
  readonly blocks: readonly AuditChainBlock[];
  /** The newest block; null if nothing is sealed yet. */
  readonly head: AuditChainBlock | null;
  /** Whether the content is omitted because of the viewer's permissions. */
  readonly withheld: boolean;
  /** Minimum retention of events in days. */
  readonly keptDays: number;
  readonly anchors: readonly AuditAnchorState[];
  /** Trusted signing keys. */
  readonly keys: readonly {
    readonly id: string;
    readonly publicKey: string;
    readonly since: Timestamp;
    /** Signature by the previous key; absent for a key that is trusted directly. */
    readonly endorsement?: { readonly by: string; readonly signature: string } | undefined;
    /** The last block that it sealed, known after the next key replaced it. */
    readonly lastBlock?: { readonly number: number; readonly hash: string } | undefined;
  }[];
}

export const auditFacetsInput = z.object({ filter: auditFilterSchema.prefault({}) });

/** Values that occur in the newest 10,000 events of a time range, as filter choices. */
export interface AuditFacets {
  readonly types: readonly string[];
  readonly actors: readonly {
    readonly kind: 'user' | 'device' | 'system';
    readonly id: string;
    readonly name: string;
  }[];
}
