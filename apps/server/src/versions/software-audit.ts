import type { AuditDraft } from '../audit-trail/audit-draft.ts';

const LISTED_CHANGES = 100;

/** One event for each device, with the first of its changes. */
export function softwareAudit(
  type: AuditDraft['type'],
  changes: readonly { readonly deviceId: string }[],
  actor: (deviceId: string) => AuditDraft['actor'],
): AuditDraft[] {
  return [...Map.groupBy(changes, ({ deviceId }) => deviceId)].map(([deviceId, own]) => ({
    type,
    actor: actor(deviceId),
    deviceId,
    data: {
      count: own.length,
      changes: own.slice(0, LISTED_CHANGES).map(({ deviceId: _same, ...change }) => change),
    },
  }));
}
