import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { AuditActorDraft } from '../audit-trail/audit-draft.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';

/** The actor of an event, and the request in which it happened. */
export interface TokenActor {
  readonly actor: AuditActorDraft;
  readonly requestId: string;
}

export const tokenActorOf = (caller: Caller): TokenActor => ({
  actor: actorOf(caller.viewer, caller),
  requestId: caller.requestId,
});

/** Records an act on an API token, never the token itself. */
export function recordApiToken(
  tx: Transaction,
  { actor, requestId }: TokenActor,
  event: {
    readonly type: AuditType;
    readonly token: { readonly id: string; readonly kind: string; readonly name: string };
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { id, kind, name } = event.token;
  return recordAudit(tx, [
    {
      ...{ type: event.type, actor, requestId },
      data: { apiTokenId: id, apiToken: name, kind, ...event.more },
    },
  ]);
}
