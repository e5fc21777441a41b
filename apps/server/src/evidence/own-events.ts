import type { AuditEvent } from '@deviceportal/contract/audit-trail';

const runOf = ({ data }: AuditEvent): unknown => data['runId'];

/**
 * What a user did, and what devices and the portal recorded about it: all that the user can export without
 * `audit-trail:export`. What other users did is not included.
 */
export function ownEvents(events: readonly AuditEvent[], userId: string): AuditEvent[] {
  const isOwn = ({ actor }: AuditEvent): boolean => actor.kind === 'user' && actor.id === userId;
  const acts = events.filter(isOwn);
  const runs = new Set(
    acts.filter(({ type }) => type === 'command.requested').map((event) => runOf(event)),
  );
  const rollouts = new Set(
    acts.filter(({ type }) => type === 'air-blast.planned').map(({ data }) => data['airBlastId']),
  );
  return events.filter((event) => {
    if (isOwn(event)) return true;
    if (event.actor.kind === 'user') return false;
    return runs.has(runOf(event)) || rollouts.has(event.data['airBlastId'] ?? null);
  });
}
