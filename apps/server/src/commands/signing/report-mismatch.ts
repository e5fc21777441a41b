import { actorOf, recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import { findUsersWithPermission } from '../../access/data/users-with-permission.ts';
import { notify } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { AuthorizationMismatch } from './authorization.ts';

export interface FoundMismatch extends AuthorizationMismatch {
  readonly kind: 'schedule' | 'rollout' | 'run';
  readonly id: string;
  readonly name: string;
  /** The request in which it was found, if any. */
  readonly request?: { readonly viewer: Viewer; readonly origin: RequestOrigin };
}

/**
 * Records that rows were changed after a user authorized them, and notifies all users who manage access, because such a
 * change requires write access to the database.
 *
 * @returns the changes to publish after commit
 */
export async function reportMismatch(
  tx: Transaction,
  { kind, id, name, fault, changed, request }: FoundMismatch,
): Promise<Change[]> {
  await recordAudit(tx, [
    {
      type: 'command.authorization-mismatch',
      actor: request === undefined ? systemActor : actorOf(request.viewer, request.origin),
      requestId: request?.origin.requestId ?? null,
      ...(kind === 'run' && { runId: id }),
      data: { kind, id, name, fault, changed },
    },
  ]);
  const managers = await findUsersWithPermission(tx, 'access:manage');
  return notify(
    tx,
    managers
      .filter(({ scopes }) => scopes.some(isEverywhere))
      .map(({ userId }) => ({
        userId,
        kind: 'authorization-mismatch',
        subject: `authorization:${kind}:${id}`,
        facts: { kind, id, name, fault },
      })),
  );
}
