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

/** The actor and the request; the system actor for changes without a user. */
export interface AccessGrantActor {
  readonly actor: AuditActorDraft;
  readonly requestId: string | null;
}

export const actorOfCaller = (caller: Caller): AccessGrantActor => ({
  actor: actorOf(caller.viewer, caller),
  requestId: caller.requestId,
});

export const systemAccessGrantActor: AccessGrantActor = { actor: systemActor, requestId: null };

/** Records changes of temporary access in the audit trail, with role, user, and reason. */
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
