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

/** What the server itself records; devices add their own as `device.<type>`. */
export const auditTypes = [
  'device.created',
  'device.updated',
  'device.labels-changed',
  'device.suspended',
  'device.resumed',
  'device.retired',
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
  'access.signed-in',
  'access.signed-out',
  'access.wrong-code',
  'access.sign-in-refused',
  'access.sign-in-locked',
  'access.account-locked',
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
  'audit-trail.month-archived',
  'audit-trail.month-deleted',
  'installation.restored',
  'audit-trail.events-refused',
  'audit-trail.seal-stopped',
  'audit-trail.anchor-cut',
  'audit-trail.key-announced',
  'audit-trail.key-rotated',
  'installation.secret-rotated',
  'installation.secret-retired',
  'installation.secret-accepted',
  'report.created',
  'case.opened',
  'case.joined',
  'case.updated',
  'case.note-added',
  'case.closed',
  'case.reopened',
  'report.opened',
  'report.downloaded',
  'report.shared',
  'report.share-renewed',
  'report.share-ended',
  'report.share-opened',
] as const;
export type AuditType = (typeof auditTypes)[number] | `device-event.${string}`;

export interface AuditActor {
  readonly kind: 'user' | 'device' | 'system';
  readonly id: string | null;
  /** A user name or a device name; masked where the viewer may not see people. */
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
  /** Of the run that it belongs to. */
  readonly command: string | null;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  /** Run, invocation, document …: ids a screen can link to. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** When it happened: what was reported late names its own time. */
export function occurredAt({ at, data }: Pick<AuditEvent, 'at' | 'data'>): Timestamp {
  const own = data['occurredAt'];
  return typeof own === 'string' && !Number.isNaN(Date.parse(own)) ? own : at;
}

export const auditFilterSchema = z.object({
  deviceId: idSchema.nullable().default(null),
  /** A user's id. */
  actorId: z.string().max(128).nullable().default(null),
  actorKind: z.enum(['user', 'device', 'system']).nullable().default(null),
  /** Types, or a prefix that ends in a dot-star: `command.*`. */
  types: z.array(z.string().max(128)).max(50).default([]),
  requestId: z.string().max(128).nullable().default(null),
  runId: idSchema.nullable().default(null),
  caseId: idSchema.nullable().default(null),
  /** Where a person was. */
  address: z.string().max(64).nullable().default(null),
  result: z.enum(['success', 'failure']).nullable().default(null),
  range: timeRangeSchema.prefault({}),
  text: z.string().trim().max(200).default(''),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const listAuditEventsInput = z.object({
  filter: auditFilterSchema.prefault({}),
  pageSize: pageSizeSchema,
  /** A page does not end in the middle of alike events: it is longer instead, by 200 at most. */
  whole: z.boolean().default(false),
  cursor: cursorSchema,
});

export interface AuditPage extends SearchPage<AuditEvent> {
  /** On the last page: the newest event of cold storage in the period; null where it has none. */
  readonly coldUntil: Timestamp | null;
}

/** Events of cold storage. */
export interface ColdAuditPage extends SearchPage<AuditEvent> {
  /** Months whose file is gone: `2026-08`. */
  readonly gaps: readonly string[];
}

export const exportAuditTrailInput = z.object({
  filter: auditFilterSchema.prefault({}),
  format: z.enum(['csv', 'json']),
});

/** A finished export: its file behind a signed link, and the manifest that says what is in it. */
export interface AuditExport {
  readonly downloadUrl: string;
  /** The same facts with the filter and the exporter, as a file beside it. */
  readonly manifestUrl: string;
  /** What proves the events without the portal. */
  readonly proofUrl: string;
  readonly proofName: string;
  readonly fileName: string;
  readonly count: number;
  readonly sha256: string;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
}

/** Links of the chain, from after a block on; `events` also gives what the blocks hold, where the viewer may see it all. */
export const readAuditChainInput = z.object({
  after: z.int().nonnegative().default(0),
  /** With `after` 0: begins with the block that was sealed first from this time on. */
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
  /** Null where only the links were asked for, or may be seen. */
  readonly content: {
    /** Hashes of its events as they were sealed, 32 bytes each, base64. */
    readonly leaves: string;
    /** The events as they are now, in the order of `recordFields`, or the id of one that is gone. */
    readonly records: readonly (readonly (string | null)[] | { readonly gone: string })[];
  } | null;
}

/** A place outside the database that keeps blocks of the chain. */
export interface AuditAnchorState {
  readonly target: 'file' | 'syslog' | 'tsa';
  /** Number of the newest block that it has. */
  readonly delivered: number;
  /** When the oldest block was sealed that it lacks; null where it has all. */
  readonly waitingSince: Timestamp | null;
  /** Whether that is longer ago than it should be. */
  readonly late: boolean;
}

/** A piece of the chain, and where it ends. */
export interface AuditChain {
  /** The block before the first of this piece; null at the beginning of the trail. */
  readonly before: AuditChainBlock | null;
  readonly blocks: readonly AuditChainBlock[];
  /** The newest block; null where nothing is sealed yet. */
  readonly head: AuditChainBlock | null;
  /** Whether the viewer's rights leave out what the blocks hold. */
  readonly withheld: boolean;
  /** How many days events are kept at least. */
  readonly keptDays: number;
  readonly anchors: readonly AuditAnchorState[];
  /** Keys whose signatures count. */
  readonly keys: readonly {
    readonly id: string;
    readonly publicKey: string;
    readonly since: Timestamp;
    /** By the key before it; none where it is trusted by itself. */
    readonly endorsement?: { readonly by: string; readonly signature: string } | undefined;
    /** The last one that it has sealed, known since the next key took its place. */
    readonly lastBlock?: { readonly number: number; readonly hash: string } | undefined;
  }[];
}

export const auditFacetsInput = z.object({ filter: auditFilterSchema.prefault({}) });

/** What occurs in the newest 10,000 events of a time range: choices for the filters. */
export interface AuditFacets {
  readonly types: readonly string[];
  readonly actors: readonly {
    readonly kind: 'user' | 'device' | 'system';
    readonly id: string;
    readonly name: string;
  }[];
}
