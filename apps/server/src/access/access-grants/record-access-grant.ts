import type { AuditType } from '@deviceportal/contract/audit-trail';
import {
  actorOf,
  recordAudit,
  systemActor,
  type AuditActorDraft,
} from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { StoredAccessGrant } from '../data/access-grant-queries.ts';

/** Who did it, and in which request; the portal itself where nobody did. */
export interface AccessGrantActor {
  readonly actor: AuditActorDraft;
  readonly requestId: string | null;
}

export const actorOfCaller = (caller: Caller): AccessGrantActor => ({
  actor: actorOf(caller.viewer, caller),
  requestId: caller.requestId,
});

export const theClock: AccessGrantActor = { actor: systemActor, requestId: null };

/** Puts what became of accessGrants on the trail, each with what it gives, to whom and why. */
export async function recordAccessGrants(
  tx: Transaction,
  who: AccessGrantActor,
  events: readonly {
    readonly type: AuditType;
    readonly accessGrant: Pick<
      StoredAccessGrant,
      'id' | 'userId' | 'username' | 'roleName' | 'scope' | 'reason' | 'minutes' | 'caseId'
    >;
    readonly occurredAt?: Date;
    readonly data?: Readonly<Record<string, unknown>>;
  }[],
): Promise<void> {
  await recordAudit(
    tx,
    events.map(({ type, accessGrant, occurredAt, data }) => ({
      type,
      actor: who.actor,
      requestId: who.requestId,
      caseId: accessGrant.caseId,
      ...(occurredAt !== undefined && { occurredAt }),
      data: {
        elevationId: accessGrant.id,
        userId: accessGrant.userId,
        username: accessGrant.username,
        role: accessGrant.roleName,
        scope: accessGrant.scope,
        minutes: accessGrant.minutes,
        purpose: accessGrant.reason,
        ...data,
      },
    })),
  );
}
