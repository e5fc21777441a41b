import type { AuditDraft } from './audit-draft.ts';

/** The data of an event as it is written. */
export const dataOf = ({ data = {}, occurredAt }: AuditDraft): Readonly<Record<string, unknown>> =>
  occurredAt === undefined ? data : { ...data, occurredAt: occurredAt.toISOString() };
