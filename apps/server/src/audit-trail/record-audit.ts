import { sql } from 'drizzle-orm';
import { bindActs, type BoundAct } from '../cases/bind-acts.ts';
import type { Transaction } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AuditActorDraft, AuditDraft } from './audit-draft.ts';
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
  return {
    kind: 'user',
    id: viewer.userId,
    name: viewer.username,
    address: origin.address,
    inCase: caseId ? { id: caseId, name: viewer.displayName } : undefined,
  };
}

/** The case that an event belongs to: the one that it names, else the one in which it was done. */
export const caseOf = ({ caseId, actor }: Pick<AuditDraft, 'caseId' | 'actor'>): string | null =>
  caseId ?? actor.inCase?.id ?? null;

/** What of an event its case keeps; nothing where it was done in none. */
export function boundActOf(event: AuditDraft): BoundAct[] {
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
 * Writes audit events in the transaction of the change they speak of, in one statement however many they are, and
 * into the case in which somebody did it. What says who a person is, is sealed with the key of that person.
 * Sequence and hash are added after commit by the sealer.
 */
export async function recordAudit(tx: Transaction, events: readonly AuditDraft[]): Promise<void> {
  if (events.length === 0) return;
  const sealed = await sealPersonalFields(tx, events);
  const rows = sealed.map(({ event, actorName, actorAddress, data }, position) => ({
    position,
    device_id: event.deviceId ?? null,
    type: event.type,
    actor_kind: event.actor.kind,
    actor_id: event.actor.id,
    actor_name: actorName,
    actor_address: actorAddress,
    case_id: caseOf(event),
    request_id: event.requestId ?? null,
    run_id: event.runId ?? null,
    data: JSON.stringify(data),
  }));
  const { position: _position, ...columns } = columnTypes;
  const names = sql.raw(Object.keys(columns).join(', '));
  await tx.execute(sql`
    insert into audit_event (id, ${names})
    select audit_event_id((select audit_id_begin()), position), ${names} from ${rowsOf(columnTypes, rows)} as event`);
  await bindActs(tx, events.flatMap(boundActOf));
}

const columnTypes = {
  position: 'bigint',
  device_id: 'uuid',
  type: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  actor_name: 'text',
  actor_address: 'text',
  case_id: 'uuid',
  request_id: 'text',
  run_id: 'uuid',
  data: 'jsonb',
} as const;
