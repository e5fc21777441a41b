import type { AuditType } from '@deviceportal/contract/audit-trail';
import {
  actorOf,
  recordAudit,
  systemActor,
  type AuditActorDraft,
} from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { StoredElevation } from '../data/elevation-queries.ts';

/** Who did it, and in which request; the portal itself where nobody did. */
export interface ElevationActor {
  readonly actor: AuditActorDraft;
  readonly requestId: string | null;
}

export const actorOfCaller = (caller: Caller): ElevationActor => ({
  actor: actorOf(caller.viewer, caller),
  requestId: caller.requestId,
});

export const theClock: ElevationActor = { actor: systemActor, requestId: null };

/** Puts what became of elevations on the trail, each with what it gives, to whom and why. */
export async function recordElevations(
  tx: Transaction,
  who: ElevationActor,
  events: readonly {
    readonly type: AuditType;
    readonly elevation: Pick<
      StoredElevation,
      'id' | 'userId' | 'username' | 'roleName' | 'scope' | 'reason' | 'minutes' | 'caseId'
    >;
    readonly occurredAt?: Date;
    readonly data?: Readonly<Record<string, unknown>>;
  }[],
): Promise<void> {
  await recordAudit(
    tx,
    events.map(({ type, elevation, occurredAt, data }) => ({
      type,
      actor: who.actor,
      requestId: who.requestId,
      caseId: elevation.caseId,
      ...(occurredAt !== undefined && { occurredAt }),
      data: {
        elevationId: elevation.id,
        userId: elevation.userId,
        username: elevation.username,
        role: elevation.roleName,
        scope: elevation.scope,
        minutes: elevation.minutes,
        purpose: elevation.reason,
        ...data,
      },
    })),
  );
}
