import { bindActions, type BoundAction } from '../cases/bind-actions.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AuditActorDraft, AuditDraft } from './audit-draft.ts';
import { insertEvents } from './data/insert-events.ts';
import { sealPersonalFields } from './seal-personal-fields.ts';

export type { AuditActorDraft, AuditDraft } from './audit-draft.ts';

export const systemActor: AuditActorDraft = {
  kind: 'system',
  id: null,
  name: 'Device Portal',
  address: null,
};

export function actorOf(viewer: Viewer, origin: RequestOrigin): AuditActorDraft {
  const { caseId } = origin;
  const inCase = caseId ? { id: caseId, name: viewer.displayName } : undefined;
  if (viewer.service?.kind === 'server') return systemActor;
  if (viewer.service !== undefined) {
    const { id, name } = viewer.service;
    return { kind: 'system', id, name, address: origin.address, inCase };
  }
  return {
    kind: 'user',
    id: viewer.userId,
    name: viewer.username,
    address: origin.address,
    inCase,
    byToken: viewer.apiToken,
  };
}

/** The case of an event: the one that it names, or else the one that its actor works in. */
export const caseOf = ({ caseId, actor }: Pick<AuditDraft, 'caseId' | 'actor'>): string | null =>
  caseId ?? actor.inCase?.id ?? null;

/** The entry of an event in its actor's case; empty if the actor works in none. */
export function boundActOf(event: AuditDraft): BoundAction[] {
  const { actor } = event;
  if (actor.inCase === undefined || actor.id === null) return [];
  return [
    {
      caseId: actor.inCase.id,
      at: event.occurredAt ?? event.at ?? new Date(),
      actorId: actor.id,
      actor: actor.inCase.name,
      type: event.type,
      deviceId: event.deviceId ?? null,
      runId: event.runId ?? null,
      data: event.data ?? {},
    },
  ];
}

/**
 * Records audit events in the transaction of the change that they describe, in one statement, and as entries of the case
 * that the actor works in. Personal fields are sealed with the key of their person. The sealer adds sequence and hash
 * after commit.
 */
export async function recordAudit(tx: Transaction, events: readonly AuditDraft[]): Promise<void> {
  if (events.length === 0) return;
  const sealed = await sealPersonalFields(tx, events);
  await insertEvents(
    tx,
    sealed.map(({ event, actorName, actorAddress, data }) => ({
      deviceId: event.deviceId ?? null,
      type: event.type,
      actorKind: event.actor.kind,
      actorId: event.actor.id,
      actorName,
      actorAddress,
      caseId: caseOf(event),
      requestId: event.requestId ?? null,
      runId: event.runId ?? null,
      data,
    })),
  );
  await bindActions(tx, events.flatMap(boundActOf));
}
