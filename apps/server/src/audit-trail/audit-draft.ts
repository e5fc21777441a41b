import type { AuditType } from '@deviceportal/contract/audit-trail';

export interface AuditActorDraft {
  readonly kind: 'user' | 'device' | 'system';
  readonly id: string | null;
  readonly name: string;
  readonly address: string | null;
  /** The case that the actor worked in, and their name there. */
  readonly inCase?: { readonly id: string; readonly name: string } | undefined;
  /** The API token by which the user acted. */
  readonly byToken?: { readonly id: string; readonly name: string } | undefined;
}

export interface AuditDraft {
  readonly type: AuditType;
  readonly actor: AuditActorDraft;
  readonly deviceId?: string | null;
  readonly requestId?: string | null;
  readonly runId?: string | null;
  readonly caseId?: string | null;
  /** By the server's clock, for the case entry; the database sets the time in the trail. */
  readonly at?: Date;
  /** When it happened, if not now: a field of the data, because the database sets the recorded time. */
  readonly occurredAt?: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}
