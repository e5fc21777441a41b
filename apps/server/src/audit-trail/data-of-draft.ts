import type { AuditDraft } from './audit-draft.ts';

/** What is written as the data of an event. */
export const dataOf = ({ data = {}, occurredAt }: AuditDraft): Readonly<Record<string, unknown>> =>
  occurredAt === undefined ? data : { ...data, occurredAt: occurredAt.toISOString() };
