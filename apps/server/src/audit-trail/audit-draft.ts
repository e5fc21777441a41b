import type { AuditType } from '@deviceportal/contract/audit-trail';

export interface AuditActorDraft {
  readonly kind: 'user' | 'device' | 'system';
  readonly id: string | null;
  readonly name: string;
  readonly address: string | null;
  /** The case in which a person did it, and what they are called there. */
  readonly inCase?: { readonly id: string; readonly name: string } | undefined;
}

export interface AuditDraft {
  readonly type: AuditType;
  readonly actor: AuditActorDraft;
  readonly deviceId?: string | null;
  readonly requestId?: string | null;
  readonly runId?: string | null;
  readonly caseId?: string | null;
  /** By the clock of the server, for the record of the case; the trail is timed by the database. */
  readonly at?: Date;
  /** When it happened, where that is not now: a field of the data, because the recorded time is the database's. */
  readonly occurredAt?: Date;
  readonly data?: Readonly<Record<string, unknown>>;
}
