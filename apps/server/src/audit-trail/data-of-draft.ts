import type { AuditDraft } from './audit-draft.ts';

/** The data of an event as it is written. */
export function dataOf({
  data = {},
  occurredAt,
  actor: { byToken },
}: AuditDraft): Readonly<Record<string, unknown>> {
  if (occurredAt === undefined && byToken === undefined) return data;
  return {
    ...data,
    ...(occurredAt !== undefined && { occurredAt: occurredAt.toISOString() }),
    ...(byToken !== undefined && { apiTokenId: byToken.id, apiToken: byToken.name }),
  };
}
